import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { parseWorkspace } from '../../../src/local-service/workspace.ts'
import { importNatively } from '../../helpers/native-import.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const SCRIPT = join(import.meta.dirname, '../../../src/docs/scripts/extract-prompts.js')

/** Follows a text, which is then long enough. */
const MORE = 'Answer in one sentence, and name the device that the ticket is about.'

let runs = 0

/** What the script prints for these files: calls, the system text of each prompt, and its user text. */
async function extract(
  files: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<{
  readonly calls: readonly string[]
  readonly texts: Readonly<Record<string, string | undefined>>
  readonly users: Readonly<Record<string, string | undefined>>
  readonly leftOut: string
}> {
  const folder = await temporaryFolder(files)
  const names = Object.keys(files).filter((name) => /\.tsx?$/.test(name))
  // In this process: one for each call would load TypeScript anew.
  const { argv } = process
  process.argv = [process.execPath, SCRIPT, ...options, ...names.map((name) => join(folder, name))]
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  await importNatively(`${pathToFileURL(SCRIPT).href}?${runs++}`)
  const output = log.mock.calls.map(([line]) => `${line}\n`).join('')
  const leftOut = error.mock.calls.join('')
  process.argv = argv
  log.mockRestore()
  error.mockRestore()
  const { prompts } = parseWorkspace(output, 'stdout')
  const users = Array.from(prompts, ([slug, { live }]) => [slug, live.user] as const)
  return {
    calls: [...output.matchAll(/^ {2}# (?:\S+:\d+ )+(?<call>.*)$/gm)].map(([, call = '']) => call),
    texts: Object.fromEntries(
      Array.from(prompts, ([slug, { live }]) => [slug, live.system.replace(` ${MORE}`, '')]),
    ),
    users: Object.fromEntries(users.filter(([, user]) => user !== '')),
    leftOut,
  }
}

describe('placeholders of an app', () => {
  test('each of the three forms that code replaces becomes a token, and a value of the call', async () => {
    const { calls, texts } = await extract({
      'src/texts.ts': `export const SORT = 'Sort {ticket}, \${tone}, {{ user.name }} and { city }. ${MORE}'\n`,
      'src/use.ts': `import { SORT } from './texts'
SORT.replace('{ticket}', ticket).replaceAll(/\\$\\{tone\\}/g, () => state.tone).replace(/\\{\\s*city\\s*\\}/g, "Rome")
`,
    })
    expect(texts).toEqual({
      sort: 'Sort {{ ticket }}, {{ tone }}, {{ user.name }} and {{ city }}.',
    })
    expect(calls).toEqual([
      `prompts['sort'].render({ ticket, tone: state.tone, 'user.name': user.name, city: "Rome" }).text`,
    ])
  })

  test('a name that is computed stands for every name, and for nothing else in braces', async () => {
    const { texts, calls } = await extract({
      'src/index.ts': `const SORT = 'Sort {ticket} by \${tone}, as {"sorted": true}. ${MORE}'
for (const [key, value] of Object.entries(values)) {
  text = text.replaceAll(\`{\${key}}\`, value).replace(new RegExp('\\\\\${' + key + '\\\\}', 'g'), value)
}
`,
    })
    expect(texts).toEqual({ sort: 'Sort {{ ticket }} by {{ tone }}, as {"sorted": true}.' })
    expect(calls).toEqual([`prompts['sort'].render({ ticket, tone }).text`])
  })

  test('calls of other functions with such a name replace nothing', async () => {
    const { texts } = await extract({
      'src/index.ts': `history.replace()\nrouter.replace('/{name}')\nconst SORT = 'Sort {name}. ${MORE}'\n`,
    })
    expect(texts).toEqual({ sort: 'Sort {name}.' })
  })

  test('braces that no code replaces stay text', async () => {
    const text = `Write { "a": 1 }, {name} and \${name}; in JSX {children}.`
    const { texts } = await extract({
      'src/index.ts': `const SORT = ${JSON.stringify(`${text} ${MORE}`)}\nSORT.replace('{tone}', tone)\n`,
    })
    expect(texts).toEqual({ sort: text })
  })

  test('a text has the values of its own calls, and the name alone where calls differ', async () => {
    const { calls } = await extract({
      'src/index.ts': `const [A, B, C] = []
export const FIRST = 'Sort {ticket}. ${MORE}'
export const SECOND = 'Rank {ticket}. ${MORE}'
export const THIRD = 'Order {ticket}. ${MORE}'
texts.FIRST.replace('{ticket}', a.text)
SECOND.replace('{ticket}', b.text)
`,
    })
    expect(calls).toEqual([
      `prompts['first'].render({ ticket: a.text }).text`,
      `prompts['second'].render({ ticket: b.text }).text`,
      `prompts['third'].render({ ticket }).text`,
    ])
  })
})

test('a template literal has the values of its expressions, and its other characters as they are', async () => {
  const { calls, texts } = await extract({
    'src/index.ts': `export const triagePrompt = ({ tone, ticket }: { tone: string; ticket: string }): string =>
  \`Sort the ticket in a \${tone} tone. \\\`\\\${code}\\\` and \\\\n stay as they are: $&

\${ticket}
\${tone}\`
export const known = (user: { name: string }, place: { name: string }, isOn: boolean): string =>
  \`Known are \${user.name} of \${place.name} and \${JSON.stringify(user)}, \${isOn ? 'on' : 'off'}.\`
`,
  })
  expect(texts).toEqual({
    'triage-prompt':
      'Sort the ticket in a {{ tone }} tone. `${code}` and \\n stay as they are: $&\n\n{{ ticket }}\n{{ tone }}',
    known: 'Known are {{ name }} of {{ name2 }} and {{ user }}, {{ section }}.',
  })
  expect(calls).toEqual([
    `prompts['triage-prompt'].render({ tone, ticket }).text`,
    `prompts['known'].render({ name: user.name, name2: place.name, user: JSON.stringify(user), section: isOn ? 'on' : 'off' }).text`,
  ])
})

describe('names', () => {
  test('an entry has the name of its file, and of the constant, key or function that says more', async () => {
    const { texts } = await extract({
      'src/triage.ts': `export async function sortTicket() {
  const result = await generateText({ system: 'Sort. ${MORE}' })
}
const toReply = () => generateText({ prompt: 'Reply. ${MORE}' })
const PROMPT = 'Order. ${MORE}'
export default 'List. ${MORE}'
const TEXTS = { 'triage-again': 'Again. ${MORE}' }
`,
      'src/reducer.ts': `function getPrompt() { return 'Reduce. ${MORE}' }\n`,
      'src/merger.ts': `function getPrompt() { return 'Merge. ${MORE}' }\n`,
      'src/tour/prompts.ts': `const SYSTEM = 'Guide. ${MORE}'\n`,
    })
    expect(texts).toEqual({
      'triage-sort-ticket': 'Sort.',
      'triage-to-reply': 'Reply.',
      triage: 'Order.',
      'triage-2': 'List.',
      'triage-again': 'Again.',
      reducer: 'Reduce.',
      merger: 'Merge.',
      tour: 'Guide.',
    })
  })

  test('a name that YAML would read as something else is a slug', async () => {
    const { texts } = await extract({
      'src/index.ts': `export const NULL = 'First. ${MORE}'\n`,
      'src/2024.ts': `const $ = 'Second. ${MORE}'\nrun('Third. ${MORE}')\n`,
    })
    expect(texts).toEqual({ null: 'First.', '2024': 'Second.', '2024-2': 'Third.' })
  })
})

describe('pairs', () => {
  test('system and user text of one object are one entry, whatever names or returns them', async () => {
    const { calls, texts, users } = await extract({
      'src/literals.ts': `const answer = (ticket: string) => ({ system: 'Sort. ${MORE}', user: \`<t>\${ticket}</t>\` })\n`,
      'src/constants.ts': `const system = \`Rank by \${tone}. ${MORE}\`
const USER_PROMPT = 'The ticket: ' + ticket
generateText({ system, prompt: USER_PROMPT })
`,
      'src/functions.ts': `import { systemPrompt } from './shared-rules'
function userPrompt(ticket: string) {
  if (ticket === '') throw new Error('There has to be a ticket, so that a model can reply to it.')
  return \`Reply to this ticket, and keep what the customer has written before: \${ticket}\`.trim()
}
generateText({ system: systemPrompt(), prompt: userPrompt(mail) })
`,
      'src/shared-rules.ts': `export const systemPrompt = () => 'Reply. ${MORE}'\n`,
      'src/messages.ts': `const list = [
  { role: 'system', content: 'List. ${MORE}' },
  ...history,
  { role: 'user', content: \`Mine: \${ticket}\` },
]\n`,
    })
    expect(texts).toMatchObject({
      'literals-answer': 'Sort.',
      constants: 'Rank by {{ tone }}.',
      'shared-rules': 'Reply.',
      list: 'List.',
    })
    expect(Object.keys(texts)).toHaveLength(4)
    expect(users).toEqual({
      'literals-answer': '<t>{{ ticket }}</t>',
      constants: 'The ticket: {{ ticket }}',
      'shared-rules': expect.stringMatching(/ before: \{\{ ticket \}\}$/),
      list: 'Mine: {{ ticket }}',
    })
    expect(calls).toContain(
      "const { system, user } = prompts['constants'].render({ tone, ticket })",
    )
  })

  test('a text that several pairs share stays an entry of its own', async () => {
    const { texts, users } = await extract({
      'src/rules.ts': `const system = 'Shared. ${MORE}'
const first = () => ask({ system, prompt: 'First. ${MORE}' })
const second = () => ask({ system, prompt: 'Second. ${MORE}' })
`,
    })
    expect(Object.values(texts)).toEqual(['Shared.', 'First.', 'Second.'])
    expect(users).toEqual({})
  })

  test('values of two functions with one name are two variables', async () => {
    const { calls } = await extract({
      'src/sort.ts': `const system = (item: string) => \`Sort \${item}. ${MORE}\`
const user = (item: string) => \`Rank \${item}. ${MORE}\`
ask({ system: system(a), user: user(b) })
`,
    })
    expect(calls).toEqual([
      "const { system, user } = prompts['sort'].render({ item, item2: item })",
    ])
  })
})

test('the code of a value is on one line, and keeps the line breaks and spaces of its texts', async () => {
  const { calls } = await extract({
    'src/index.ts': `export const SORT = \`Sort \${
  isUrgent // soon
    ? \`at once:

  \${ticket}\`
    : 'now  and then'
}. ${MORE}\`
`,
  })
  expect(calls).toEqual([
    "prompts['sort'].render({ section: isUrgent ? `at once:\\n\\n  ${ticket}` : 'now  and then' }).text",
  ])
})

test('an array that is joined, and a sum, are one text with the values of their other elements', async () => {
  const { calls, texts } = await extract({
    'src/index.ts': `const JOINED = [
  'Sort the ticket.',
  isUrgent ? 'It is urgent.' : '',
  \`Use a \${tone} tone.\`,
  ...rules.map((rule) => \`- \${[...rule]}\`),
  '${MORE}',
].filter(Boolean).join('\\n\\n')
const ADDED = 'Rank by ' + user.rank + ('. ' + '${MORE}')
const PLAIN = [a, b].join('')
`,
  })
  expect(texts).toEqual({
    joined: `Sort the ticket.\n\n{{ section }}\n\nUse a {{ tone }} tone.\n\n{{ rules }}\n\n${MORE}`,
    added: 'Rank by {{ rank }}.',
  })
  expect(calls).toEqual([
    `prompts['joined'].render({ section: isUrgent ? 'It is urgent.' : '', tone, rules: rules.map((rule) => \`- \${[...rule]}\`).join('\\n\\n') }).text`,
    `prompts['added'].render({ rank: user.rank }).text`,
  ])
})

describe('what is no prompt', () => {
  const OTHERS = {
    'src/others.tsx': `console.log(\`The ticket \${id} was sorted. ${MORE}\`)
logInfo('The ticket was sorted. ${MORE}')
throw new TypeError('The ticket is missing. ${MORE}')
const failed = { error: 'The ticket is missing. ${MORE}', description: 'Sorts a ticket. ${MORE}' }
const schema = z.string().describe('The text of the ticket. ${MORE}')
const rows = sql\`SELECT id FROM tickets. ${MORE}\`
const query = \`select id, text\\nfrom tickets where state = 'open' and owner = 'support'\`
const box = <p className="flex items-center rounded-full border bg-muted px-2 py-1">{\`Hello. ${MORE}\`}</p>
const home = 'https://tickets.example.com/a/long/path/that/has/more/than/sixty/characters'
`,
  }

  test('logs, errors, descriptions, queries, markup and addresses are left out, and counted', async () => {
    const { texts, leftOut } = await extract(OTHERS)
    expect(texts).toEqual({})
    expect(leftOut).toMatch(/\b10 texts\b.*--all/)
  })

  test('`--all` prints them, too', async () => {
    const { calls, leftOut } = await extract(OTHERS, '--all')
    expect(calls).toHaveLength(10)
    expect(leftOut).toBe('')
  })

  test('a text whose name says that it is a prompt is one, also without the end of a sentence', async () => {
    const { texts } = await extract({
      'src/others.ts': `const errorPrompt = 'Explain this error to somebody who has never seen a compiler'
const other = 'Explain this error to somebody who has never seen a compiler'\n`,
    })
    expect(Object.keys(texts)).toEqual(['others-error-prompt'])
  })
})

test('an import of a text file is a prompt, byte for byte', async () => {
  const text = 'Sort {ticket}.\r\n\tKeep `${code}` and "quotes" \\n.\n\n'
  const { calls, texts } = await extract({
    'src/index.ts': `import sortTicket from './texts/sort.txt?raw'\nsortTicket.replace('{ticket}', ticket)\n`,
    'src/texts/sort.txt': text,
  })
  expect(texts).toEqual({ 'sort-ticket': text.replace('{ticket}', '{{ ticket }}') })
  expect(calls).toEqual([`prompts['sort-ticket'].render({ ticket }).text`])
})
