# bash completion for baker, made from its own description; don't edit.

# Sets kind, list and takes (how many values follow) for option $2 of command $1.
_baker_option() {
  kind=none list= takes=0
  case "$1 $2" in
    'bake --crust' | 'bake -c') takes=1 kind=words list='soft normal dark' ;;
    'bake --minutes' | 'bake -m') takes=1 kind=none ;;
    'bake --seed' | 'bake -s') takes=1 kind=none ;;
    'bake --offset') takes=1 kind=none ;;
    'bake --corners') takes=4 kind=none ;;
    'slice --thickness') takes=1 kind=none ;;
    *' --shelf') takes=1 kind=folder ;;
  esac
}

# Sets kind and list for argument number $2 of command $1.
_baker_argument() {
  kind=none list=
  case "$1 $2" in
    'bake '*) kind=file ;;
    'slice 0') kind=dynamic list='shelf list --completion' ;;
    'slice 1') kind=words list='bread chef' ;;
  esac
}

# Sets commands to the names that can follow command $1.
_baker_commands() {
  commands=
  case "$1" in
    '') commands='bake slice shelf' ;;
    'shelf') commands='list clear' ;;
  esac
}

# Sets options to the options of command $1.
_baker_options() {
  options='--shelf --json --quiet --help'
  case "$1" in
    'bake') options+=' --crust --minutes --seed --force --offset --corners --steam --no-steam' ;;
    'slice') options+=' --thickness' ;;
  esac
}

# Notes words of the program's own options in globals, with quotes and a leading '~' taken out.
_baker_pass() {
  local word
  for word; do
    word=${word//\\/} word=${word//\"/} word=${word//\'/}
    word=${word/#\~\//$HOME/}
    globals+=("${word/=\~\//=$HOME/}")
  done
}

# Fills COMPREPLY with candidates of a kind for the word $1; $2 is put before each.
_baker_candidates() {
  local line
  case $kind in
    file) compopt -o default 2>/dev/null ;;
    folder) compopt -o dirnames 2>/dev/null ;;
    words)
      for line in $list; do
        [[ $line == "$1"* ]] && COMPREPLY+=("$2$line")
      done ;;
    dynamic)
      # All at once: 'read' would take a call to the system for each byte of a pipe.
      local -; set -f
      local -a call=("$program" "${globals[@]}" $list)
      local IFS=$'\n'
      for line in $("${call[@]}" 2>/dev/null </dev/null); do
        line=${line%%$'\t'*}
        [[ -n $line && $line == "$1"* ]] || continue
        [[ $line == *[!a-zA-Z0-9_-]* ]] && printf -v line %q "$line"
        COMPREPLY+=("$2$line")
      done ;;
  esac
}

_baker() {
  COMPREPLY=()
  local program=$1 word current option prefix path= kind list commands options takes
  local -i i pending=0 place=0
  local ended= helping= glue=
  local -a words=() globals=()
  local IFS=$' \t\n'

  # bash cuts words at '='; join '--name', '=' and 'value' again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -n $glue || ( $word == = && ${words[-1]-} == --* ) ]]; then
      words[-1]+=$word
      [[ $word == = && -z $glue ]] && glue=1 || glue=
    else
      words+=("$word")
    fi
  done
  current=${words[-1]}

  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    word=${words[i]}
    if ((pending > 0)); then
      # A word with spaces holds all the values.
      [[ $word == *' '* ]] && pending=0 || pending+=-1
    elif [[ -n $ended ]]; then
      place+=1
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == --*=* ]]; then
      _baker_option "$path" "${word%%=*}"
      option=${word%%=*}
      ((takes > 0)) && pending=takes-1
      case $word in --shelf=*) _baker_pass "$word" ;; esac
    elif [[ $word == --* ]]; then
      option=$word
      _baker_option "$path" "$option"
      pending=takes
      case $word in --shelf) _baker_pass "$word" "${words[i + 1]-}" ;; esac
    elif [[ $word == -?* && ! $word =~ ^-[.]?[0-9] ]]; then
      # Joined short options: the first that takes a value takes the rest of the word.
      word=${word:1}
      while [[ -n $word ]]; do
        option=-${word:0:1}
        word=${word:1}
        _baker_option "$path" "$option"
        if ((takes > 0)); then
          pending=takes
          [[ -n $word ]] && pending+=-1
          break
        fi
      done
    elif [[ -z $path && -z $helping && $word == help ]]; then
      helping=1
    else
      _baker_commands "$path"
      if [[ -z $commands ]]; then
        place+=1
      elif [[ " $commands " == *" $word "* ]]; then
        path=${path:+$path }$word
      else
        return
      fi
    fi
  done

  if ((pending > 0)); then
    _baker_option "$path" "$option"
    _baker_candidates "$current" ''
    return
  fi
  if [[ -z $ended && $current == --*=* ]]; then
    _baker_option "$path" "${current%%=*}"
    # Without '=' among the word breaks the candidates replace the whole word.
    [[ $COMP_WORDBREAKS == *=* ]] && prefix= || prefix=${current%%=*}=
    ((takes > 0)) && _baker_candidates "${current#*=}" "$prefix"
    return
  fi
  if [[ -z $ended && $current == -* && -z $helping ]]; then
    _baker_options "$path"
    kind=words list=$options
    [[ -z $path ]] && list+=' --version'
    _baker_candidates "$current" ''
    return
  fi
  _baker_commands "$path"
  if [[ -n $commands ]]; then
    kind=words list=$commands
    [[ -z $path && -z $helping ]] && list+=' help'
  elif [[ -n $helping ]]; then
    return
  else
    _baker_argument "$path" "$place"
  fi
  _baker_candidates "$current" ''
}

complete -F _baker baker
