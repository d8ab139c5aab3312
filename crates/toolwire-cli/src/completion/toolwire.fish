# Completions of toolwire for fish 3 and newer. The command says what can stand at the cursor.
function __toolwire_complete
    set -l before (commandline -opc)
    set -l current (string unescape -- (commandline -ct) 2>/dev/null; or commandline -ct)
    command toolwire __complete fish $before "$current" 2>/dev/null | while read -l -d \t kind text help
        switch $kind
            case word part
                printf '%s\t%s\n' "$text" "$help"
            case files
                set -l rest (string sub -s (math 1 + (string length -- "$text")) -- "$current")
                for path in (__fish_complete_path "$rest")
                    printf '%s%s\n' "$text" "$path"
                end
            case folders
                set -l rest (string sub -s (math 1 + (string length -- "$text")) -- "$current")
                for path in (__fish_complete_directories "$rest")
                    printf '%s%s\n' "$text" "$path"
                end
        end
    end
end
complete --command toolwire --no-files --keep-order --arguments '(__toolwire_complete)'
