# Completions of toolwire for bash 3.2 and newer. The command says what can stand at the cursor.
_toolwire() {
    local words=() word joined="" rest=${COMP_LINE:0:COMP_POINT} at=$COMP_CWORD
    local current behind kind text help path quoted
    # bash splits words at `=` and `:`, as in `path=a`: those with no blank between them are one.
    while [ "$at" -ge 0 ]; do
        word=${COMP_WORDS[at]}
        # Of the word at the cursor, what stands before the cursor.
        while [ "${rest%"$word"}$word" != "$rest" ]; do word=${word%?}; done
        rest=${rest%"$word"}
        joined=$word$joined
        if [ "$at" -eq 0 ] || [ -z "$rest" ] || [ "${rest%[[:blank:]]}" != "$rest" ]; then
            words=("$joined" ${words[@]+"${words[@]}"})
            joined=""
            rest=${rest%"${rest##*[![:blank:]]}"}
        fi
        at=$((at - 1))
    done
    current=${words[${#words[@]} - 1]}
    COMPREPLY=()
    case $current in
    *[\"\'\\\$\`]*)
        # Within quotes bash completes the names of files by itself.
        type compopt >/dev/null 2>&1 && compopt -o default 2>/dev/null
        return
        ;;
    esac
    # What stands before the last character at which bash splits words stays on the line.
    behind=${current%"${current##*[$COMP_WORDBREAKS]}"}
    while IFS=$'\t' read -r kind text help; do
        case $kind in
        word | part)
            printf -v quoted %q "${text#"$behind"}"
            [ "$kind" = part ] || quoted+=" "
            COMPREPLY+=("$quoted")
            ;;
        files | folders)
            while IFS= read -r path; do
                printf -v quoted %q "$path"
                # A home directory stays one.
                [[ $path == \~* ]] && quoted=${quoted/#\\~/\~}
                if [[ -d ${path/#\~\//$HOME/} ]]; then quoted+=/; else quoted+=" "; fi
                COMPREPLY+=("${text#"$behind"}$quoted")
            done < <(
                if [ "$kind" = files ]; then action=-f; else action=-d; fi
                compgen "$action" -- "${current#"$text"}"
            )
            ;;
        esac
    done < <(command toolwire __complete bash "${words[@]}" 2>/dev/null)
}
complete -o nospace -o nosort -F _toolwire toolwire 2>/dev/null || complete -o nospace -F _toolwire toolwire
