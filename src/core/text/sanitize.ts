import { INVISIBLE_CHARACTERS, LONE_SELECTOR } from './json-string.ts'

/** Terminal escape sequences: CSI, OSC, DCS, APC, PM, SOS and those of two characters. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- finding control characters is its purpose
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g

const CONTROLS = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${INVISIBLE_CHARACTERS}]`, 'gu')

/**
 * Makes remote text safe to print inside a line of terminal or log output. Removes escape sequences
 * and invisible characters; line breaks and tabs become spaces. The text can then neither move the
 * cursor nor begin a line. Use it only for display: paths to open and JSON output stay exact.
 */
export function sanitize(text: string): string {
  return text
    .replaceAll(SEQUENCES, '')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(CONTROLS, '')
}

/**
 * Makes a message of several lines safe to print: sanitizes each line and neutralizes commands to CI
 * servers. Used for errors and for everything that the plugin logs.
 */
export function sanitizeMessage(message: string): string {
  return neutralizeCiCommands(message.split('\n').map(sanitize).join('\n'))
}

/**
 * Inserts a space into text that a CI server would run as a command. Data that programs read, such as
 * patches, is written to a file instead (`--output`).
 *
 * - GitHub: `::name::` at the beginning of a line, after white space too; `##[name]` anywhere
 *   (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs)
 * - Azure Pipelines: `##vso[name]` and `##[name]`
 *   (https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands)
 * - TeamCity: `##teamcity[name]` (https://www.jetbrains.com/help/teamcity/service-messages.html)
 * - GitLab's section markers end with an escape sequence, which {@link sanitize} removes
 *   (https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections)
 *
 * Azure Pipelines and TeamCity do not document where in a line they look, so a command is expected
 * anywhere. Variation selectors inside a command and U+0085 before one do not hide it.
 */
export function neutralizeCiCommands(text: string): string {
  return text
    .replaceAll(/^([^\S\n\r\u2028\u2029]|\u0085)*:(?=:)/gm, '$& ')
    .replaceAll(/#(?=\ufe0f*#[\w\ufe0f]*\[)/g, '# ')
}

/** Spaces that look like U+0020, and that no name of a variable may stand beside. */
const SPECIAL_SPACES = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f'

const SPECIAL_SPACE = new RegExp(`[${SPECIAL_SPACES}\\u3000]`, 'g')

/** A text with ordinary spaces in place of all others. */
export function toOrdinarySpaces(text: string): string {
  return text.replaceAll(SPECIAL_SPACE, ' ')
}

const HIDDEN = new RegExp(
  `[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f${SPECIAL_SPACES}${INVISIBLE_CHARACTERS}]|` +
    `\\p{Cs}|${LONE_SELECTOR}`,
  'gu',
)

/**
 * Makes the hidden characters of a line visible: C0 controls become pictures (`␛`), bidirectional,
 * zero-width and other hidden characters become numbers (`⟨U+202E⟩`), as do spaces that look like an ordinary one.
 * Tabs stay. Print a gutter before the result: at the beginning of a line it could be a command to a CI server.
 */
export function makeVisible(line: string): string {
  return line.replaceAll(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '␡'
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
