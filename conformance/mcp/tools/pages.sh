#!/bin/sh
# toolwire-tool: 1
# Asks a person to open a page: `test_page` goes on as soon as it was opened, `test_page_pending` always waits for
# what is done there.
ask() {
	echo '{"content": [{"type": "question", "question": {"id": "login", "text": "Sign in.", "schema": {}, "url": "https://example.com/login"}}]}'
}
call=$(cat)
case $call in
*'"describe"'*)
	echo '{"content": [], "structuredContent": {"toolwire": 1, "tools": [
		{"name": "test_page", "description": "Wants a page opened.", "inputSchema": {"type": "object"}},
		{"name": "test_page_pending", "description": "Waits for a page.", "inputSchema": {"type": "object"}}]}}'
	;;
*'"test_page_pending"'*)
	ask
	;;
*'"opened"'*)
	echo '{"content": [{"type": "text", "text": "opened"}]}'
	;;
*)
	ask
	;;
esac
