import Testing

import DocumentOutput

@Suite("What lpstat and lp say")
struct LpstatAnswerTests {
  @Test("states of printers, with the reasons on the lines below")
  func states() {
    let answer = """
      printer Office is idle.  enabled since Mon Nov 30 09:46:47 2026
      printer Lab now printing Lab-7.  enabled since Mon Nov 30 09:46:47 2026
      \tSpooling job, 12% complete.
      printer Attic disabled since Mon Nov 30 09:46:49 2026 -
      \tout of order
      printer Cellar disabled since Mon Nov 30 09:46:49 2026 -
      \treason unknown
      """
    let states = LpstatAnswer.states(answer)
    #expect(
      states == [
        "Office": .init(state: .idle), "Lab": .init(state: .printing, message: "Spooling job, 12% complete."),
        "Attic": .init(state: .stopped, message: "out of order"), "Cellar": .init(state: .stopped),
      ])
  }

  @Test("whether queues take jobs, even those called like a word of the answer")
  func acceptance() {
    let answer = """
      printer accepting requests since Mon Nov 30 09:46:47 2026
      not not accepting requests since Mon Nov 30 09:46:49 2026 -
      \tRejecting Jobs
      """
    #expect(
      LpstatAnswer.acceptance(answer) == [
        "printer": .init(isAccepting: true), "not": .init(isAccepting: false, message: "Rejecting Jobs"),
      ])
  }

  @Test("the default printer, or none")
  func standard() {
    #expect(LpstatAnswer.standard("system default destination: Office/draft\n") == "Office/draft")
    #expect(LpstatAnswer.standard("no system default destination\n") == nil)
    #expect(LpstatAnswer.standard("") == nil)
  }

  @Test("the job's id")
  func job() {
    #expect(LpstatAnswer.jobID("request id is Office-12 (1 file(s))\n") == "Office-12")
    #expect(LpstatAnswer.jobID("something else\n") == nil)
  }
}
