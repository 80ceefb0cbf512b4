# fish completion for baker, made from its own description; don't edit.

# Prints how many values follow an option of a command.
function __baker_takes -a path option
    switch "$path $option"
        case 'bake --crust' 'bake -c'
            echo 1
        case 'bake --minutes' 'bake -m'
            echo 1
        case 'bake --seed' 'bake -s'
            echo 1
        case 'bake --offset'
            echo 1
        case 'bake --corners'
            echo 4
        case 'slice --thickness'
            echo 1
        case '* --shelf'
            echo 1
        case '*'
            echo 0
    end
end

# Prints whether a word is a command that can follow a command.
function __baker_commands -a path
    switch "$path"
        case ''
            printf '%s\n' bake slice shelf
        case 'shelf'
            printf '%s\n' list clear
    end
end

# Prints what the words before the cursor mean: the command, whether options have ended, how many values of an option are
# still to come, how many arguments there were, and whether help was asked for.
function __baker_state
    set -l path ''
    set -l ended no
    set -l pending 0
    set -l place 0
    set -l helping no
    set -l tokens (commandline -opc)
    for token in $tokens[2..]
        if test $pending -gt 0
            set pending (math $pending - 1)
            string match -q '* *' -- $token; and set pending 0
        else if test $ended = yes
            set place (math $place + 1)
        else if test "$token" = --
            set ended yes
        else if string match -q -- '--*=*' $token
            set pending (math max 0, (__baker_takes "$path" (string split -m 1 = -- $token)[1]) - 1)
        else if string match -q -- '--*' $token
            set pending (__baker_takes "$path" $token)
        else if string match -q -r -- '^-[^.0-9]' $token
            # Joined short options: the first that takes a value takes the rest of the word.
            set -l letters (string split '' -- (string sub -s 2 -- $token))
            for i in (seq (count $letters))
                set -l takes (__baker_takes "$path" -$letters[$i])
                if test $takes -gt 0
                    set pending $takes
                    test $i -lt (count $letters); and set pending (math $pending - 1)
                    break
                end
            end
        else
            set -l commands (__baker_commands "$path")
            if test -z "$path" -a $helping = no -a "$token" = help
                set helping yes
            else if test (count $commands) -eq 0
                set place (math $place + 1)
            else if contains -- $token $commands
                set path (string trim -- "$path $token")
            else
                set path '?'
            end
        end
    end
    printf '%s\n' "$path" $ended $pending $place $helping
end

# Whether the cursor is where an option of a command may stand, or a value of it.
function __baker_in -a path
    set -l state (__baker_state)
    test "$state[1]" = "$path" -a $state[2] = no -a $state[5] = no
end

# Whether the name of a command can follow a command here.
function __baker_next -a path
    set -l state (__baker_state)
    test "$state[1]" = "$path" -a $state[2] = no -a $state[3] = 0
end

# Whether no command has been named yet.
function __baker_first
    set -l state (__baker_state)
    test -z "$state[1]" -a $state[2] = no -a $state[3] = 0 -a $state[5] = no
end

# Whether an argument of a command comes next: that at a place, or a later one too.
function __baker_argument -a path place more
    set -l state (__baker_state)
    test "$state[1]" = "$path" -a $state[3] = 0 -a $state[5] = no; or return 1
    test $state[4] = $place; or test -n "$more" -a $state[4] -gt $place
end

# Candidates that the program prints when called with these arguments and the program's own options of the line.
function __baker_dynamic
    set -l tokens (commandline -opc)
    set -l passed
    for i in (seq 2 (count $tokens))
        switch $tokens[$i]
            case --shelf
                set -a passed $tokens[$i] (string unescape -- $tokens[(math $i + 1)] | string replace -r '^~/' "$HOME/")
            case '--shelf=*'
                set -a passed (string unescape -- $tokens[$i] | string replace '=~/' "=$HOME/")
        end
    end
    $tokens[1] $passed $argv 2>/dev/null </dev/null
end

# Folders for the value at the cursor.
function __baker_folders
    __fish_complete_directories (string replace -r -- '^--[^=]*=' '' (commandline -ct)) ''
end

complete -c baker -f
complete -c baker -n '__baker_next \'\'' -a bake -d 'Bake loaves from recipes'
complete -c baker -n '__baker_next \'\'' -a slice -d 'Cut a loaf into slices'
complete -c baker -n '__baker_next \'\'' -a shelf -d 'See and tidy the shelf'
complete -c baker -n '__baker_in \'bake\'' -s c -l crust -d 'How brown the crust gets' -x -k -a '(printf \'%s\\t%s\\n\' \'soft\' \'pale, for sandwiches\' \'normal\' \'as most people like it\' \'dark\' \'well done; it keeps longest, and needs five minutes more in an oven that is hot all through\')'
complete -c baker -n '__baker_in \'bake\'' -s m -l minutes -d 'How long to bake' -x
complete -c baker -n '__baker_in \'bake\'' -s s -l seed -d 'Seeds to put on top' -x
complete -c baker -n '__baker_in \'bake\'' -s f -l force -d 'Bake even when the oven is cold'
complete -c baker -n '__baker_in \'bake\'' -l offset -d 'What to add to the oven\'s scale' -x
complete -c baker -n '__baker_in \'bake\'' -l corners -d 'Where the tray stands, by its corners' -x
complete -c baker -n '__baker_in \'bake\'' -l steam -d 'Let steam in at the start'
complete -c baker -n '__baker_in \'bake\'' -l no-steam -d 'Let steam in at the start'
complete -c baker -n '__baker_argument \'bake\' 0 more' -F
complete -c baker -n '__baker_in \'slice\'' -l thickness -d 'How thick the slices are' -x
complete -c baker -n '__baker_argument \'slice\' 0' -x -a '(__baker_dynamic shelf list --completion)'
complete -c baker -n '__baker_argument \'slice\' 1' -x -k -a '(printf \'%s\\t%s\\n\' \'bread\' \'\' \'chef\' \'\')'
complete -c baker -n '__baker_next \'shelf\'' -a list -d 'List the loaves'
complete -c baker -n '__baker_next \'shelf\'' -a clear -d 'Take everything off the shelf'
complete -c baker -n '__baker_first' -a help -d 'Show help for a command'
complete -c baker -n '__baker_first' -l version -d 'Show the version and exit'
complete -c baker -l shelf -d 'The folder that holds the loaves' -x -a '(__baker_folders)'
complete -c baker -l json -d 'Print results as JSON'
complete -c baker -s q -l quiet -d 'Print results and failures only'
complete -c baker -s h -l help -d 'Show help and exit'
