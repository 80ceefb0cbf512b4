#compdef baker
# zsh completion for baker, made from its own description; don't edit.

# Candidates that the program prints when called with these arguments and the program's own options of the line.
_baker_dynamic() {
  local -a passed described
  local -i i
  local line
  for ((i = 2; i < $#line_words; i++)); do
    case $line_words[i] in
      --shelf) passed+=("$line_words[i]" ${(Q)~line_words[i + 1]}) ;;
      --shelf=*) passed+=("${line_words[i]%%=*}" ${(Q)~line_words[i]#*=}) ;;
    esac
  done
  for line in ${(f)"$(${(Q)~line_words[1]} "${passed[@]}" "$@" 2>/dev/null </dev/null)"}; do
    described+=("${${line%%$'\t'*}//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}")
  done
  (($#described)) && _describe -V candidates described
}

_baker_bake__crust() {
  local -a choices=(
    'soft:pale, for sandwiches'
    'normal:as most people like it'
    'dark:well done; it keeps longest, and needs five minutes more in an oven that is hot all through'
  )
  _describe -V 'CRUST' choices
}

_baker_slice__KNIFE() {
  local -a choices=(
    'bread'
    'chef'
  )
  _describe -V 'KNIFE' choices
}

_baker_bake() {
  _arguments -s -S "${globals[@]}" \
    '(--crust -c)--crust=[How brown the crust gets]:CRUST: _baker_bake__crust' \
    '(--crust -c)-c+[How brown the crust gets]:CRUST: _baker_bake__crust' \
    '(--minutes -m)--minutes=[How long to bake]:N: ' \
    '(--minutes -m)-m+[How long to bake]:N: ' \
    '*--seed=[Seeds to put on top]:KIND: ' \
    '*-s+[Seeds to put on top]:KIND: ' \
    '(--force -f)--force[Bake even when the oven is cold]' \
    '(--force -f)-f[Bake even when the oven is cold]' \
    '(--offset)--offset=[What to add to the oven'\''s scale]:DEGREES: ' \
    '(--corners)--corners=[Where the tray stands, by its corners]:X,Y: :X,Y: :X,Y: :X,Y: ' \
    '(--steam --no-steam)--steam[Let steam in at the start]' \
    '(--steam --no-steam)--no-steam[Let steam in at the start]' \
    '*:RECIPE:_files'
}

_baker_slice() {
  _arguments -s -S "${globals[@]}" \
    '(--thickness)--thickness=[How thick the slices are]:MM: ' \
    ':LOAF: _baker_dynamic shelf list --completion' \
    '::KNIFE: _baker_slice__KNIFE'
}

_baker_shelf() {
  local curcontext=$curcontext state line
  local -A opt_args
  _arguments -s -S -C "${globals[@]}" '1: :->command' '*:: :->rest' && return 0
  case $state in
    command)
      local -a commands
      commands=(
        'list:List the loaves'
        'clear:Take everything off the shelf'
      )
      _describe -t commands command commands
      ;;
    rest)
      case $line[1] in
        list) _baker_shelf_list ;;
        clear) _baker_shelf_clear ;;
      esac
      ;;
  esac
}

_baker_shelf_list() {
  _arguments -s -S "${globals[@]}" \
    '*:LOAF: '
}

_baker_shelf_clear() {
  _arguments -s -S "${globals[@]}"
}

_baker_help() {
  local -a commands
  if ((CURRENT == 2)); then
    commands=(
      'bake:Bake loaves from recipes'
      'slice:Cut a loaf into slices'
      'shelf:See and tidy the shelf'
    )
    _describe -t commands command commands
    return
  fi
  case $words[2] in
    shelf)
      commands=(
        'list:List the loaves'
        'clear:Take everything off the shelf'
      )
      _describe -t commands command commands
      return
      ;;
  esac
  return 1
}

_baker() {
  local curcontext=$curcontext state line
  local -A opt_args
  local -a line_words=("${words[@]}")
  # In the functions below, $globals are the options that every command takes.
  local -a globals=(
    '(--shelf)--shelf=[The folder that holds the loaves]:DIR:_files -/'
    '(--json)--json[Print results as JSON]'
    '(--quiet -q)--quiet[Print results and failures only]'
    '(--quiet -q)-q[Print results and failures only]'
    '(--help -h)--help[Show help and exit]'
    '(--help -h)-h[Show help and exit]'
  )
  _arguments -s -S -C "${globals[@]}" '(- *)--version[Show the version and exit]' '1: :->command' '*:: :->rest' && return 0
  case $state in
    command)
      local -a commands
      commands=(
        'bake:Bake loaves from recipes'
        'slice:Cut a loaf into slices'
        'shelf:See and tidy the shelf'
        'help:Show help for a command'
      )
      _describe -t commands command commands
      ;;
    rest)
      case $line[1] in
        bake) _baker_bake ;;
        slice) _baker_slice ;;
        shelf) _baker_shelf ;;
        help) _baker_help ;;
      esac
      ;;
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _baker "$@"
else
  compdef _baker baker
fi
