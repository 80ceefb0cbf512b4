extension ToolDescription {
  /// A completion function for zsh 5, to be put as `_PROGRAM` into a folder of `fpath`, or to be sourced.
  package func zshCompletion() -> String {
    let model = CompletionModel(tool: self)
    let f = model.functionPrefix
    let functions = model.commands.dropFirst().map { command(model, $0.command, at: $0.path) }
    return #"""
      #compdef \#(model.program)
      # zsh completion for \#(model.program), made from its own description; don't edit.

      # Candidates that the program prints when called with these arguments and the program's own options of the line.
      \#(f)_dynamic() {
        local -a passed described
        local -i i
        local line
        for ((i = 2; i < $#line_words; i++)); do
          case $line_words[i] in
      \#(passedOn(model))
          esac
        done
        for line in ${(f)"$(${(Q)~line_words[1]} "${passed[@]}" "$@" 2>/dev/null </dev/null)"}; do
          described+=("${${line%%$'\t'*}//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}")
        done
        (($#described)) && _describe -V candidates described
      }

      \#((choices(model) + functions).joined(separator: "\n\n"))

      \#(f)_help() {
        local -a commands
        if ((CURRENT == 2)); then
      \#(describe(root.visibleSubcommands, indent: "    "))
          return
        fi
        case $words[2] in
      \#(helpCases(model))
        esac
        return 1
      }

      \#(f)() {
        local curcontext=$curcontext state line
        local -A opt_args
        local -a line_words=("${words[@]}")
        # In the functions below, $globals are the options that every command takes.
        local -a globals=(
      \#(model.globals.flatMap { specifications($0, of: [], model) }.map { "    \($0)" }.joined(separator: "\n"))
        )
      \#(group(model, root, at: [], extra: "'(- *)--version[Show the version and exit]' "))
      }

      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        \#(f) "$@"
      else
        compdef \#(f) \#(model.program)
      fi
      """# + "\n"
  }

  private func functionName(_ path: [String], _ model: CompletionModel) -> String {
    ([model.functionPrefix] + path.map(shellName)).joined(separator: "_")
  }

  /// The function that completes a command below the root.
  private func command(_ model: CompletionModel, _ command: CommandInfo, at path: [String]) -> String {
    if !command.subcommands.isEmpty {
      return """
        \(functionName(path, model))() {
          local curcontext=$curcontext state line
          local -A opt_args
        \(group(model, command, at: path, extra: ""))
        }
        """
    }
    let own = model.options(of: command, at: path) + command.arguments
    let lines = own.flatMap { specifications($0, of: path, model) }.map { " \\\n    \($0)" }
    return """
      \(functionName(path, model))() {
        _arguments -s -S "${globals[@]}"\(lines.joined())
      }
      """
  }

  /// The body that completes a command's name, or hands over to its function.
  private func group(_ model: CompletionModel, _ command: CommandInfo, at path: [String], extra: String)
    -> String
  {
    let following = model.subcommands(of: command, at: path)
    let cases = following.map { "        \($0.name)) \(functionName(path + [$0.name], model)) ;;" }
    return """
        _arguments -s -S -C "${globals[@]}" \(extra)'1: :->command' '*:: :->rest' && return 0
        case $state in
          command)
            local -a commands
      \(describe(following, indent: "      "))
            ;;
          rest)
            case $line[1] in
      \(cases.joined(separator: "\n"))
            esac
            ;;
        esac
      """
  }

  private func describe(_ commands: [CommandInfo], indent: String) -> String {
    let model = CompletionModel(tool: self)
    let items = commands.map { "\(indent)  " + singleQuoted("\($0.name):\(model.brief($0.abstract))") }
    return
      "\(indent)commands=(\n\(items.joined(separator: "\n"))\n\(indent))\n\(indent)_describe -t commands command commands"
  }

  private func helpCases(_ model: CompletionModel) -> String {
    let groups = root.visibleSubcommands.filter { !$0.subcommands.isEmpty }
    guard !groups.isEmpty else { return "    *) ;;" }
    return groups.map { group in
      "    \(group.name))\n\(describe(group.visibleSubcommands, indent: "      "))\n      return\n      ;;"
    }.joined(separator: "\n")
  }

  /// A function for each parameter with choices: a list inside a specification would need three levels of quotes.
  private func choices(_ model: CompletionModel) -> [String] {
    let owners = model.commands.map {
      (path: $0.path, parameters: $0.path.isEmpty ? model.globals : $0.command.parameters)
    }
    return owners.flatMap { owner in
      owner.parameters.filter { !$0.isHidden && $0.completion == .choices }.map { parameter in
        let items = parameter.choices.map { choice in
          "    " + singleQuoted(choice.help.isEmpty ? choice.name : "\(choice.name):\(choice.help)")
        }
        return """
          \(choiceFunction(parameter, of: owner.path, model))() {
            local -a choices=(
          \(items.joined(separator: "\n"))
            )
            _describe -V \(singleQuoted(parameter.placeholder)) choices
          }
          """
      }
    }
  }

  private func choiceFunction(_ parameter: ParameterInfo, of path: [String], _ model: CompletionModel)
    -> String
  {
    functionName(path, model) + "__" + shellName(parameter.name)
  }

  /// What `_arguments` is told of a parameter: a specification for each way to write it.
  private func specifications(_ parameter: ParameterInfo, of path: [String], _ model: CompletionModel)
    -> [String]
  {
    let value = ":\(escaped(parameter.placeholder, ":")):\(action(parameter, of: path, model))"
    let brief = "[\(escaped(model.brief(parameter.help), "[]"))]"
    switch parameter.kind {
    case .argument:
      let message = ":\(escaped(parameter.name, ":")):\(action(parameter, of: path, model))"
      return [
        singleQuoted(parameter.isRepeating ? "*" + message : parameter.isRequired ? message : ":" + message)
      ]
    case .flag:
      let others = parameter.spellings.joined(separator: " ")
      return parameter.spellings.map { singleQuoted("(\(others))\($0)\(brief)") }
    case .option:
      let others = parameter.isRepeating ? "*" : "(\(parameter.spellings.joined(separator: " ")))"
      let values = String(repeating: value, count: parameter.valuesPerUse)
      return parameter.spellings.map { spelling in
        singleQuoted(others + spelling + (spelling.hasPrefix("--") ? "=" : "+") + brief + values)
      }
    }
  }

  private func action(_ parameter: ParameterInfo, of path: [String], _ model: CompletionModel) -> String {
    // An action that begins with a space is called as it is, without options for `compadd` put in.
    switch parameter.completion {
    case .none: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .choices: " " + choiceFunction(parameter, of: path, model)
    case .dynamic(let words): " \(model.functionPrefix)_dynamic \(words.joined(separator: " "))"
    }
  }

  private func passedOn(_ model: CompletionModel) -> String {
    let names = model.globals.filter { $0.kind == .option && $0.valuesPerUse == 1 }.map { "--\($0.name)" }
    guard !names.isEmpty else { return "      *) ;;" }
    return #"""
            \#(names.joined(separator: " | "))) passed+=("$line_words[i]" ${(Q)~line_words[i + 1]}) ;;
            \#(names.map { "\($0)=*" }.joined(separator: " | "))) passed+=("${line_words[i]%%=*}" ${(Q)~line_words[i]#*=}) ;;
      """#
  }

  private func escaped(_ text: String, _ special: String) -> String {
    String(text.flatMap { special.contains($0) || $0 == "\\" ? ["\\", $0] : [$0] })
  }
}
