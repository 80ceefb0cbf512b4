/// Turns the words after the program's name into a command with its values.
///
/// The rules:
/// - `--name VALUE`, `--name=VALUE`, `-n VALUE`, `-nVALUE`; flags as `--name`, `-n`, joined as `-nq`; `--no-name` for
///   flags that have it. Long names can't be shortened.
/// - `--` ends the options; a lone `-` is an argument. Options may stand after arguments.
/// - A value may begin with a dash only when it is `-`, a negative number, or joined to its option by `=`.
///   A negative number where no value is expected is an argument.
/// - An option that isn't repeatable may stand once; of a flag the last use counts.
/// - An option of several values takes as many words; each word may hold several, with spaces between them.
/// - The program's own options may stand anywhere, before the command's name too.
struct ArgumentParser {
  let globals: [ParameterDefinition]
  let rootName: String
  private let words: [String]
  private var position = 0
  private var path: [String] = []
  private var command: (any Command.Type)?
  private var siblings: [any Command.Type]
  private var own: [ParameterDefinition] = []
  private var uses: [String: [[String]]] = [:]
  private var arguments: [String] = []
  private var request: Request?

  private enum Request { case help, version }

  init(words: [String], rootName: String, globals: [ParameterDefinition], commands: [any Command.Type]) {
    self.words = words
    self.rootName = rootName
    self.globals = globals
    siblings = commands
  }

  mutating func parse() throws(UsageError) -> Invocation {
    var optionsEnded = false
    // After --version the rest is still read: it may hold options of the program, e.g. one that asks for more.
    while request != .help, let word = next() {
      if optionsEnded {
        try takeWord(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try takeLong(word)
      } else if word.hasPrefix("-"), word != "-", !isNegativeNumber(word) {
        try takeShort(word)
      } else if path.isEmpty, word == "help" {
        return .help(try helpPath())
      } else {
        try takeWord(word)
      }
    }
    return try finish()
  }

  private mutating func next() -> String? {
    guard position < words.count else { return nil }
    defer { position += 1 }
    return words[position]
  }

  // MARK: Words

  /// Takes a word that isn't an option: the next command's name, or an argument.
  private mutating func takeWord(_ word: String) throws(UsageError) {
    guard !siblings.isEmpty else { return arguments.append(word) }
    guard let found = siblings.first(where: { $0.description.name == word }) else {
      throw unknownCommand(word)
    }
    let description = found.description
    command = found
    path.append(description.name)
    siblings = description.subcommands
    own = description.parameters.flatMap(\.definitions)
  }

  /// The path after `help`: names of commands, each of which must exist.
  private mutating func helpPath() throws(UsageError) -> [String] {
    while let word = next() {
      // 'help help' is the overview too.
      if word.hasPrefix("-") || path.isEmpty && word == "help" { continue }
      guard !siblings.isEmpty else {
        throw fault("'\(path.joined(separator: " "))' has no command '\(printable(word))'")
      }
      try takeWord(word)
    }
    return path
  }

  private func unknownCommand(_ word: String) -> UsageError {
    let descriptions = siblings.map { $0.description }.filter { !$0.isHidden }
    let names = descriptions.map(\.name) + (path.isEmpty ? ["help"] : [])
    let meant =
      descriptions.first { $0.synonyms.contains(word.lowercased()) }?.name ?? nearest(to: word, among: names)
    let whole = (path + [printable(word)]).joined(separator: " ")
    return .unknown("unknown command '\(whole)'", meant: meant, commandPath: path)
  }

  // MARK: Options

  private mutating func takeLong(_ word: String) throws(UsageError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if let definition = named(name) {
      if definition.info.kind == .flag {
        if attached != nil { throw fault("--\(name) takes no value") }
        uses["--\(name)", default: []].append([])
      } else {
        try takeValue(of: definition, attached: attached)
      }
    } else if name.hasPrefix("no-"), let flag = named(String(name.dropFirst(3))), flag.info.isNegatable {
      if attached != nil { throw fault("--\(name) takes no value") }
      uses[flag.info.displayName, default: []].append(Flag.negated)
    } else if attached == nil, name == ParameterInfo.help.name {
      request = .help
    } else if attached == nil, name == ParameterInfo.version.name, path.isEmpty {
      request = .version
    } else {
      throw unknownOption("--\(name)")
    }
  }

  private mutating func takeShort(_ word: String) throws(UsageError) {
    var rest = word.dropFirst()
    while let letter = rest.first {
      rest = rest.dropFirst()
      guard let definition = shortened(letter) else {
        if String(letter) == ParameterInfo.help.short {
          request = .help
          return
        }
        throw unknownShort(letter, in: word)
      }
      if definition.info.kind == .flag {
        uses[definition.info.displayName, default: []].append([])
        continue
      }
      if rest.first == "=" { rest = rest.dropFirst() }
      return try takeValue(of: definition, attached: rest.isEmpty ? nil : String(rest))
    }
  }

  private mutating func takeValue(
    of definition: ParameterDefinition, attached: String?
  ) throws(UsageError) {
    let info = definition.info
    let wanted = info.valuesPerUse
    var values: [String] = []
    if let attached { values = pieces(attached, of: info) }
    while values.count < wanted {
      guard position < words.count, isValue(words[position]) else {
        throw missingValue(of: info, got: values.count)
      }
      values += pieces(words[position], of: info)
      position += 1
    }
    if values.count > wanted {
      throw fault("\(info.displayName) takes \(wanted) values, not \(values.count)")
    }
    if !info.isRepeating, uses[info.displayName] != nil {
      throw fault("\(info.displayName) is given twice")
    }
    uses[info.displayName, default: []].append(values)
  }

  /// The values in one word: itself, or its parts for an option that takes several.
  private func pieces(_ word: String, of info: ParameterInfo) -> [String] {
    guard info.valuesPerUse > 1 else { return [word] }
    return word.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private func missingValue(of info: ParameterInfo, got count: Int) -> UsageError {
    let wanted =
      "\(info.displayName) needs \(info.valuesPerUse == 1 ? "a value" : "\(info.valuesPerUse) values")"
    let number = count == 0 ? "" : ", got \(count)"
    guard position < words.count, words[position] != "--" else {
      return fault("\(wanted) (\(info.fullPlaceholder))\(number)")
    }
    let word = printable(words[position])
    return UsageError(
      "\(wanted) (\(info.fullPlaceholder))\(number) before '\(word)'",
      suggestion: info.valuesPerUse == 1 && named(String(word.dropFirst(2))) == nil
        ? "for a value that begins with a dash write '\(info.displayName)=\(word)'" : nil,
      commandPath: path)
  }

  private func isValue(_ word: String) -> Bool {
    !word.hasPrefix("-") || word == "-" || isNegativeNumber(word)
  }

  private func isNegativeNumber(_ word: String) -> Bool {
    var digits = word.utf8.dropFirst()
    guard word.utf8.first == UInt8(ascii: "-") else { return false }
    if digits.first == UInt8(ascii: ".") { digits = digits.dropFirst() }
    guard let first = digits.first else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
  }

  private func named(_ name: String) -> ParameterDefinition? {
    (own + globals).first { $0.info.kind != .argument && $0.info.name == name }
  }

  private func shortened(_ letter: Character) -> ParameterDefinition? {
    (own + globals).first { $0.info.short == String(letter) }
  }

  // MARK: Unknown options

  private func unknownOption(_ option: String) -> UsageError {
    let message = "unknown option '\(printable(option))'"
    if path.isEmpty, option.count > 2 {
      let name = String(option.dropFirst(2))
      let owner = siblings.first { type in
        type.description.parameters.flatMap(\.definitions).contains {
          $0.info.name == name && !$0.info.isHidden
        }
      }
      if let owner {
        return UsageError(
          message,
          suggestion: "options of a command come after its name, as in '\(owner.description.name) \(option)'",
          commandPath: path)
      }
    }
    let meant = nearest(to: String(option.dropFirst(2)), among: knownNames)
    return .unknown(message, meant: meant.map { "--\($0)" }, commandPath: path)
  }

  private func unknownShort(_ letter: Character, in word: String) -> UsageError {
    let inWord = word.count > 2 ? " in '\(printable(word))'" : ""
    let bare = String(word.dropFirst())
    let meant = word.count > 2 ? knownNames.first { $0 == bare } ?? nearest(to: bare, among: knownNames) : nil
    return .unknown(
      "unknown option '-\(printable(String(letter)))'\(inWord)", meant: meant.map { "--\($0)" },
      commandPath: path)
  }

  private var knownNames: [String] {
    let visible = (own + globals).map(\.info).filter { $0.kind != .argument && !$0.isHidden }
    return visible.flatMap { $0.isNegatable ? [$0.name, "no-\($0.name)"] : [$0.name] } + ["help"]
      + (path.isEmpty ? ["version"] : [])
  }

  private func fault(_ message: String) -> UsageError { UsageError(message, commandPath: path) }

  // MARK: The end

  private mutating func finish() throws(UsageError) -> Invocation {
    switch request {
    case .help: return .help(path)
    case .version: return .version(try values(of: globals))
    case nil: break
    }
    guard let command, siblings.isEmpty else { return .help(path) }
    try assignArguments()
    let parsed = try values(of: own + globals)
    do {
      return .run(try command.init(parsed), parsed)
    } catch {
      var located = error
      if located.commandPath.isEmpty { located.commandPath = path }
      throw located
    }
  }

  /// Gives each argument its words by their place.
  private mutating func assignArguments() throws(UsageError) {
    var left = arguments[...]
    for info in own.map(\.info) where info.kind == .argument {
      if info.isRepeating {
        uses[info.displayName] = left.map { [$0] }
        left = []
      } else if let word = left.popFirst() {
        uses[info.displayName] = [[word]]
      }
      if info.isRequired, uses[info.displayName, default: []].isEmpty {
        throw fault("missing \(info.name)")
      }
    }
    if let extra = left.first { throw fault("unexpected argument '\(printable(extra))'") }
  }

  private func values(of definitions: [ParameterDefinition]) throws(UsageError) -> ParsedArguments {
    var values: [String: any Sendable] = [:]
    for definition in definitions where values[definition.info.displayName] == nil {
      let name = definition.info.displayName
      do {
        values[name] = try definition.read(uses[name, default: []])
      } catch {
        guard let text = error.text else { throw fault("\(name) \(error.reason)") }
        throw .unknown(
          "invalid value '\(printable(text))' for \(name): \(error.reason)", meant: error.suggestion,
          commandPath: path)
      }
    }
    let given = uses.filter { !$0.value.isEmpty }.keys
    return ParsedArguments(commandPath: path, values: values, given: Set(given))
  }
}
