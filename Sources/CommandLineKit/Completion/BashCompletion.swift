extension ToolDescription {
  /// A script that completes the program's command lines in bash 4.4 or later, alone, without the bash-completion package.
  package func bashCompletion() -> String {
    let model = CompletionModel(tool: self)
    let f = model.functionPrefix
    return #"""
      # bash completion for \#(model.program), made from its own description; don't edit.

      # Sets kind, list and takes (how many values follow) for option $2 of command $1.
      \#(f)_option() {
        kind=none list= takes=0
        case "$1 $2" in
      \#(optionCases(model))
        esac
      }

      # Sets kind and list for argument number $2 of command $1.
      \#(f)_argument() {
        kind=none list=
        case "$1 $2" in
      \#(argumentCases(model))
        esac
      }

      # Sets commands to the names that can follow command $1.
      \#(f)_commands() {
        commands=
        case "$1" in
      \#(commandCases(model))
        esac
      }

      # Sets options to the options of command $1.
      \#(f)_options() {
        options=\#(singleQuoted(spellings(model.globals)))
        case "$1" in
      \#(spellingCases(model))
        esac
      }

      # Notes words of the program's own options in globals, with quotes and a leading '~' taken out.
      \#(f)_pass() {
        local word
        for word; do
          word=${word//\\/} word=${word//\"/} word=${word//\'/}
          word=${word/#\~\//$HOME/}
          globals+=("${word/=\~\//=$HOME/}")
        done
      }

      # Fills COMPREPLY with candidates of a kind for the word $1; $2 is put before each.
      \#(f)_candidates() {
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

      \#(f)() {
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
            \#(f)_option "$path" "${word%%=*}"
            option=${word%%=*}
            ((takes > 0)) && pending=takes-1
      \#(passedOn(model, joined: true))
          elif [[ $word == --* ]]; then
            option=$word
            \#(f)_option "$path" "$option"
            pending=takes
      \#(passedOn(model, joined: false))
          elif [[ $word == -?* && ! $word =~ ^-[.]?[0-9] ]]; then
            # Joined short options: the first that takes a value takes the rest of the word.
            word=${word:1}
            while [[ -n $word ]]; do
              option=-${word:0:1}
              word=${word:1}
              \#(f)_option "$path" "$option"
              if ((takes > 0)); then
                pending=takes
                [[ -n $word ]] && pending+=-1
                break
              fi
            done
          elif [[ -z $path && -z $helping && $word == help ]]; then
            helping=1
          else
            \#(f)_commands "$path"
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
          \#(f)_option "$path" "$option"
          \#(f)_candidates "$current" ''
          return
        fi
        if [[ -z $ended && $current == --*=* ]]; then
          \#(f)_option "$path" "${current%%=*}"
          # Without '=' among the word breaks the candidates replace the whole word.
          [[ $COMP_WORDBREAKS == *=* ]] && prefix= || prefix=${current%%=*}=
          ((takes > 0)) && \#(f)_candidates "${current#*=}" "$prefix"
          return
        fi
        if [[ -z $ended && $current == -* && -z $helping ]]; then
          \#(f)_options "$path"
          kind=words list=$options
          [[ -z $path ]] && list+=' --version'
          \#(f)_candidates "$current" ''
          return
        fi
        \#(f)_commands "$path"
        if [[ -n $commands ]]; then
          kind=words list=$commands
          [[ -z $path && -z $helping ]] && list+=' help'
        elif [[ -n $helping ]]; then
          return
        else
          \#(f)_argument "$path" "$place"
        fi
        \#(f)_candidates "$current" ''
      }

      complete -F \#(f) \#(model.program)
      """# + "\n"
  }

  private func optionCases(_ model: CompletionModel) -> String {
    var cases: [String] = []
    for (path, command) in model.commands {
      for option in model.options(of: command, at: path) where option.kind == .option {
        let patterns = option.spellings.map { singleQuoted((path + [$0]).joined(separator: " ")) }
        cases.append(
          "    \(patterns.joined(separator: " | "))) takes=\(option.valuesPerUse) \(kind(of: option)) ;;")
      }
    }
    for option in model.globals where option.kind == .option {
      let patterns = option.spellings.map { "*" + singleQuoted(" " + $0) }
      cases.append(
        "    \(patterns.joined(separator: " | "))) takes=\(option.valuesPerUse) \(kind(of: option)) ;;")
    }
    return filled(cases)
  }

  private func argumentCases(_ model: CompletionModel) -> String {
    var cases: [String] = []
    for (path, command) in model.commands {
      for (place, argument) in command.arguments.enumerated() where argument.completion != .none {
        let pattern = path.joined(separator: " ") + " "
        let wanted = argument.isRepeating ? singleQuoted(pattern) + "*" : singleQuoted("\(pattern)\(place)")
        cases.append("    \(wanted)) \(kind(of: argument)) ;;")
      }
    }
    return filled(cases)
  }

  private func commandCases(_ model: CompletionModel) -> String {
    filled(
      model.commands.compactMap { path, command in
        let names = command.visibleSubcommands.map(\.name).joined(separator: " ")
        guard !names.isEmpty else { return nil }
        return "    \(singleQuoted(path.joined(separator: " ")))) commands=\(singleQuoted(names)) ;;"
      })
  }

  private func spellingCases(_ model: CompletionModel) -> String {
    filled(
      model.commands.compactMap { path, command in
        let options = model.options(of: command, at: path)
        guard !options.isEmpty else { return nil }
        return
          "    \(singleQuoted(path.joined(separator: " ")))) options+=\(singleQuoted(" " + spellings(options))) ;;"
      })
  }

  /// What notes a program's own option with its value, so that a call for candidates gets it too.
  private func passedOn(_ model: CompletionModel, joined: Bool) -> String {
    let names = model.globals.filter { $0.kind == .option && $0.valuesPerUse == 1 }.map { "--\($0.name)" }
    guard !names.isEmpty else { return "      :" }
    let pattern = names.map { joined ? "\($0)=*" : $0 }.joined(separator: " | ")
    let words = joined ? #""$word""# : #""$word" "${words[i + 1]-}""#
    return "      case $word in \(pattern)) \(model.functionPrefix)_pass \(words) ;; esac"
  }

  private func spellings(_ options: [ParameterInfo]) -> String {
    options.flatMap(\.spellings).filter { $0.hasPrefix("--") }.joined(separator: " ")
  }

  private func kind(of parameter: ParameterInfo) -> String {
    switch parameter.completion {
    case .none: "kind=none"
    case .file: "kind=file"
    case .folder: "kind=folder"
    case .choices: "kind=words list=\(singleQuoted(parameter.choices.map(\.name).joined(separator: " ")))"
    case .dynamic(let words): "kind=dynamic list=\(singleQuoted(words.joined(separator: " ")))"
    }
  }

  /// The cases, or one that never matters: an empty `case` is allowed, an empty line in it looks like an accident.
  private func filled(_ cases: [String]) -> String {
    cases.isEmpty ? "    *) ;;" : cases.joined(separator: "\n")
  }
}
