#compdef toolwire
# Completions of toolwire for zsh 5 and newer. The command says what can stand at the cursor.
_toolwire() {
    local kind text help
    local -a words_found words_shown parts_found parts_shown files folders
    while IFS=$'\t' read -r kind text help; do
        case $kind in
        word)
            words_found+=("$text")
            words_shown+=("$text${help:+  -- $help}")
            ;;
        part)
            parts_found+=("$text")
            parts_shown+=("$text${help:+  -- $help}")
            ;;
        files) files+=("$text") ;;
        folders) folders+=("$text") ;;
        esac
    done < <(command toolwire __complete zsh "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    (( $#words_found )) && compadd -l -d words_shown -a words_found
    (( $#parts_found )) && compadd -l -S '' -d parts_shown -a parts_found
    # What stands before the name of a file stays on the line.
    for text in "${files[@]}"; do
        [[ -z $text ]] || compset -P "${(b)text}"
        _files
    done
    for text in "${folders[@]}"; do
        [[ -z $text ]] || compset -P "${(b)text}"
        _files -/
    done
    return 0
}
# Read from a file of `fpath` it is called, read with `source` or `eval` it is registered.
if [[ $funcstack[1] == _toolwire ]]; then
    _toolwire "$@"
else
    compdef _toolwire toolwire
fi
