// What a person is asked, in the plugins of clients that have no rules of their own.

// shown returns a text in which every character can be seen.
function shown(text) {
  return text.replace(/[^\P{C}\n\t]/gu, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}")
}

// question is the text about a call.
function question(reason, tool, input) {
  return shown(reason + "\n\n" + tool + " " + JSON.stringify(input, undefined, 2))
}

