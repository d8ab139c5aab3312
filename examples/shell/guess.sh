#!/bin/sh
# toolwire-tool: 1
#
# Guess a number: a tool that keeps running, in nothing but the shell.
#
#     toolwire session spawn game examples/shell/guess.sh
#     toolwire session apply game 50
#     toolwire session fetch game
#
# The lines that it reads and writes are those of chapter 22 of the specification. A host writes them so that a script
# can tell them by their beginning.

description='{"content":[{"type":"text","text":"guess: a game"}],"structuredContent":{"toolwire":1,"tools":[{
  "name":"guess","description":"Guess a number from 1 to 100. Apply each guess as input.",
  "inputSchema":{"type":"object","properties":{},"additionalProperties":false},
  "_meta":{"dev.toolwire/actions":["spawn","fetch","apply","abort"]}}]}}'

case ${TOOLWIRE_CALL-} in
    lines) ;; # it keeps running: see below
    stdin) # it was started for one call: the host asks what it is
        case $(cat) in
            *'"action":"describe"'*) printf '%s\n' "$description" ;;
            *) printf '%s\n' '{"content":[{"type":"text","text":"spawn it as a session"}],"isError":true}' ;;
        esac
        exit ;;
    *) echo "this is a tool: run it with 'toolwire session spawn'" >&2; exit 2 ;;
esac

# Writes one line: the type, and the members after `call`. Stdout is for lines alone; whatever else there is to say
# goes to stderr.
line() { printf '{"type":"%s","call":%s,%s}\n' "$1" "$call" "$2"; }
say() { line output "\"blocks\":[{\"type\":\"text\",\"text\":\"$1\"}]"; }
end_with() { line result "\"envelope\":{\"content\":[{\"type\":\"text\",\"text\":\"$1\"}]}"; exit; }

# Both sides say hello, the host first.
read -r hello
case $hello in
    *'"versions":['*1*']'*) echo '{"type":"hello","toolwire":1,"version":1}' ;;
    *) echo 'this host speaks another version' >&2; exit 1 ;;
esac

# {"type":"call","call":7,"document":{…}}
read -r line
call=${line#*'"call":'} call=${call%%,*}

secret=$(($(od -An -N2 -tu2 /dev/urandom) % 100 + 1)) guesses=0
say 'I think of a number from 1 to 100.'
while read -r line; do
    case $line in
        '{"type":"input",'*) ;;
        '{"type":"end",'*) end_with "It was $secret." ;;
        *) continue ;; # of a type that this script does not know
    esac
    # {"type":"input","call":7,"input":50}, or "50"
    guess=${line#*'"input":'} guess=${guess%'}'} guess=${guess#'"'} guess=${guess%'"'}
    case $guess in '' | *[!0-9]* | ????*) say 'A number, please.'; continue ;; esac
    guesses=$((guesses + 1))
    if [ "$guess" -lt "$secret" ]; then say 'It is more.'
    elif [ "$guess" -gt "$secret" ]; then say 'It is less.'
    else end_with "Right, after $guesses guesses."
    fi
done
