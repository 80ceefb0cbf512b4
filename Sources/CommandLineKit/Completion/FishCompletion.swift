extension ToolDescription {
  /// A script that completes the program's command lines in fish 3.
  package func fishCompletion() -> String {
    let model = CompletionModel(tool: self)
    let f = "_" + model.functionPrefix
    let complete = "complete -c \(model.program)"
    var lines: [String] = ["\(complete) -f"]
    for (path, command) in model.commands {
      let at = fishQuoted(path.joined(separator: " "))
      for next in command.visibleSubcommands {
        lines.append(
          "\(complete) -n \(fishQuoted("\(f)_next \(at)")) -a \(next.name) -d \(fishQuoted(model.brief(next.abstract)))"
        )
      }
      for option in model.options(of: command, at: path) {
        lines += optionLines(option, "\(complete) -n \(fishQuoted("\(f)_in \(at)"))", f, model)
      }
      for (place, argument) in command.arguments.enumerated() where argument.completion != .none {
        let places = argument.isRepeating ? "\(place) more" : "\(place)"
        lines.append(
          "\(complete) -n \(fishQuoted("\(f)_argument \(at) \(places)")) \(candidates(argument, f, required: false))"
        )
      }
    }
    lines.append(
      "\(complete) -n \(fishQuoted("\(f)_first")) -a help -d \(fishQuoted("Show help for a command"))")
    lines.append(
      "\(complete) -n \(fishQuoted("\(f)_first")) -l version -d \(fishQuoted("Show the version and exit"))")
    for option in model.globals { lines += optionLines(option, complete, f, model) }
    return functions(model, f) + "\n" + lines.joined(separator: "\n") + "\n"
  }

  private func functions(_ model: CompletionModel, _ f: String) -> String {
    #"""
    # fish completion for \#(model.program), made from its own description; don't edit.

    # Prints how many values follow an option of a command.
    function \#(f)_takes -a path option
        switch "$path $option"
    \#(takesCases(model))
            case '*'
                echo 0
        end
    end

    # Prints whether a word is a command that can follow a command.
    function \#(f)_commands -a path
        switch "$path"
    \#(commandCases(model))
        end
    end

    # Prints what the words before the cursor mean: the command, whether options have ended, how many values of an option are
    # still to come, how many arguments there were, and whether help was asked for.
    function \#(f)_state
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
                set pending (math max 0, (\#(f)_takes "$path" (string split -m 1 = -- $token)[1]) - 1)
            else if string match -q -- '--*' $token
                set pending (\#(f)_takes "$path" $token)
            else if string match -q -r -- '^-[^.0-9]' $token
                # Joined short options: the first that takes a value takes the rest of the word.
                set -l letters (string split '' -- (string sub -s 2 -- $token))
                for i in (seq (count $letters))
                    set -l takes (\#(f)_takes "$path" -$letters[$i])
                    if test $takes -gt 0
                        set pending $takes
                        test $i -lt (count $letters); and set pending (math $pending - 1)
                        break
                    end
                end
            else
                set -l commands (\#(f)_commands "$path")
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
    function \#(f)_in -a path
        set -l state (\#(f)_state)
        test "$state[1]" = "$path" -a $state[2] = no -a $state[5] = no
    end

    # Whether the name of a command can follow a command here.
    function \#(f)_next -a path
        set -l state (\#(f)_state)
        test "$state[1]" = "$path" -a $state[2] = no -a $state[3] = 0
    end

    # Whether no command has been named yet.
    function \#(f)_first
        set -l state (\#(f)_state)
        test -z "$state[1]" -a $state[2] = no -a $state[3] = 0 -a $state[5] = no
    end

    # Whether an argument of a command comes next: that at a place, or a later one too.
    function \#(f)_argument -a path place more
        set -l state (\#(f)_state)
        test "$state[1]" = "$path" -a $state[3] = 0 -a $state[5] = no; or return 1
        test $state[4] = $place; or test -n "$more" -a $state[4] -gt $place
    end

    # Candidates that the program prints when called with these arguments and the program's own options of the line.
    function \#(f)_dynamic
        set -l tokens (commandline -opc)
        set -l passed
        for i in (seq 2 (count $tokens))
            switch $tokens[$i]
    \#(passedOn(model))
            end
        end
        $tokens[1] $passed $argv 2>/dev/null </dev/null
    end

    # Folders for the value at the cursor.
    function \#(f)_folders
        __fish_complete_directories (string replace -r -- '^--[^=]*=' '' (commandline -ct)) ''
    end

    """#
  }

  private func optionLines(_ option: ParameterInfo, _ start: String, _ f: String, _ model: CompletionModel)
    -> [String]
  {
    let names = (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name)"
    let brief = " -d \(fishQuoted(model.brief(option.help)))"
    if option.kind == .option { return [start + names + brief + " " + candidates(option, f, required: true)] }
    return [start + names + brief] + (option.isNegatable ? ["\(start) -l no-\(option.name)\(brief)"] : [])
  }

  /// The part of a `complete` line that tells where candidates come from.
  private func candidates(_ parameter: ParameterInfo, _ f: String, required: Bool) -> String {
    switch parameter.completion {
    case .none: return "-x"
    case .file: return required ? "-r -F" : "-F"
    case .folder: return "-x -a \(fishQuoted("(\(f)_folders)"))"
    case .dynamic(let words): return "-x -a \(fishQuoted("(\(f)_dynamic \(words.joined(separator: " ")))"))"
    case .choices:
      let items = parameter.choices.flatMap { [$0.name, $0.help].map(fishQuoted) }.joined(separator: " ")
      return "-x -k -a \(fishQuoted("(printf '%s\\t%s\\n' \(items))"))"
    }
  }

  private func takesCases(_ model: CompletionModel) -> String {
    var cases: [String] = []
    func add(_ patterns: [String], _ option: ParameterInfo) {
      cases.append(
        "        case \(patterns.map(fishQuoted).joined(separator: " "))\n            echo \(option.valuesPerUse)"
      )
    }
    for (path, command) in model.commands {
      for option in model.options(of: command, at: path) where option.kind == .option {
        add(option.spellings.map { (path + [$0]).joined(separator: " ") }, option)
      }
    }
    for option in model.globals where option.kind == .option {
      add(option.spellings.map { "* \($0)" }, option)
    }
    return cases.joined(separator: "\n")
  }

  private func commandCases(_ model: CompletionModel) -> String {
    model.commands.filter { !$0.command.visibleSubcommands.isEmpty }.map { path, command in
      let names = command.visibleSubcommands.map(\.name).joined(separator: " ")
      return "        case \(fishQuoted(path.joined(separator: " ")))\n            printf '%s\\n' \(names)"
    }.joined(separator: "\n")
  }

  private func passedOn(_ model: CompletionModel) -> String {
    let names = model.globals.filter { $0.kind == .option && $0.valuesPerUse == 1 }.map { "--\($0.name)" }
    guard !names.isEmpty else { return "            case ''" }
    return """
                  case \(names.joined(separator: " "))
                      set -a passed $tokens[$i] (string unescape -- $tokens[(math $i + 1)] | string replace -r '^~/' "$HOME/")
                  case \(names.map { fishQuoted("\($0)=*") }.joined(separator: " "))
                      set -a passed (string unescape -- $tokens[$i] | string replace '=~/' "=$HOME/")
      """
  }
}

/// The text in single quotes, as fish reads it.
private func fishQuoted(_ text: String) -> String {
  "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
}
