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

/** The calls that the script prints for these files, and the system text of each prompt. */
async function extract(files: Readonly<Record<string, string>>): Promise<{
  readonly calls: readonly string[]
  readonly texts: Readonly<Record<string, string | undefined>>
}> {
  const folder = await temporaryFolder(files)
  const names = Object.keys(files).filter((name) => name.endsWith('.ts'))
  // In this process: one for each call would load TypeScript anew.
  const { argv } = process
  process.argv = [process.execPath, SCRIPT, ...names.map((name) => join(folder, name))]
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await importNatively(`${pathToFileURL(SCRIPT).href}?${runs++}`)
  const output = log.mock.calls.map(([line]) => `${line}\n`).join('')
  process.argv = argv
  log.mockRestore()
  const { prompts } = parseWorkspace(output, 'stdout')
  return {
    calls: [...output.matchAll(/^ {2}# \S+ (?<call>.*)\.text$/gm)].map(([, call = '']) => call),
    texts: Object.fromEntries(
      Array.from(prompts, ([slug, { live }]) => [slug, live.system.replace(` ${MORE}`, '')]),
    ),
  }
}

describe('placeholders of an app', () => {
  test('each of the three forms that code replaces becomes a token, and a value of the call', async () => {
    const { calls, texts } = await extract({
      'texts.ts': `export const SORT = 'Sort {ticket}, \${tone}, {{ user.name }} and { city }. ${MORE}'\n`,
      'use.ts': `import { SORT } from './texts'
SORT.replace('{ticket}', ticket).replaceAll(/\\$\\{tone\\}/g, () => state.tone).replace(/\\{\\s*city\\s*\\}/g, "Rome")
`,
    })
    expect(texts).toEqual({
      sort: 'Sort {{ ticket }}, {{ tone }}, {{ user.name }} and {{ city }}.',
    })
    expect(calls).toEqual([
      `prompts['sort'].render({ ticket, tone: state.tone, 'user.name': user.name, city: "Rome" })`,
    ])
  })

  test('a name that is computed stands for every name, and for nothing else in braces', async () => {
    const { texts, calls } = await extract({
      'a.ts': `const SORT = 'Sort {ticket} by \${tone}, as {"sorted": true}. ${MORE}'
for (const [key, value] of Object.entries(values)) {
  text = text.replaceAll(\`{\${key}}\`, value).replace(new RegExp('\\\\\${' + key + '\\\\}', 'g'), value)
}
`,
    })
    expect(texts).toEqual({ sort: 'Sort {{ ticket }} by {{ tone }}, as {"sorted": true}.' })
    expect(calls).toEqual([`prompts['sort'].render({ ticket, tone })`])
  })

  test('calls of other functions with such a name replace nothing', async () => {
    const { texts } = await extract({
      'a.ts': `history.replace()\nrouter.replace('/{name}')\nconst SORT = 'Sort {name}. ${MORE}'\n`,
    })
    expect(texts).toEqual({ sort: 'Sort {name}.' })
  })

  test('braces that no code replaces stay text', async () => {
    const text = `Write { "a": 1 }, {name} and \${name}; in JSX {children}.`
    const { texts } = await extract({
      'a.ts': `const SORT = ${JSON.stringify(`${text} ${MORE}`)}\nSORT.replace('{tone}', tone)\n`,
    })
    expect(texts).toEqual({ sort: text })
  })

  test('a text has the values of its own calls, and the name alone where calls differ', async () => {
    const { calls } = await extract({
      'a.ts': `const [A, B, C] = []
export const FIRST = 'Sort {ticket}. ${MORE}'
export const SECOND = 'Rank {ticket}. ${MORE}'
export const THIRD = 'Order {ticket}. ${MORE}'
texts.FIRST.replace('{ticket}', a.text)
SECOND.replace('{ticket}', b.text)
`,
    })
    expect(calls).toEqual([
      `prompts['first'].render({ ticket: a.text })`,
      `prompts['second'].render({ ticket: b.text })`,
      `prompts['third'].render({ ticket })`,
    ])
  })
})

test('a template literal has the values of its expressions, and its other characters as they are', async () => {
  const { calls, texts } = await extract({
    'a.ts': `export const triagePrompt = ({ tone, ticket }: { tone: string; ticket: string }): string =>
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
    `prompts['triage-prompt'].render({ tone, ticket })`,
    `prompts['known'].render({ name: user.name, name2: place.name, user: JSON.stringify(user), section: isOn ? 'on' : 'off' })`,
  ])
})

describe('names', () => {
  test('a text under a key of an SDK has the name of its function, otherwise of its file', async () => {
    const { texts } = await extract({
      'triage.ts': `export async function sortTicket() {
  const result = await generateText({ system: 'Sort. ${MORE}', messages: [{ role: 'user', content: 'Rank. ${MORE}' }] })
}
const toReply = () => generateText({ prompt: 'Reply. ${MORE}' })
const PROMPT = 'Order. ${MORE}'
export default 'List. ${MORE}'
`,
    })
    expect(texts).toEqual({
      'sort-ticket': 'Sort.',
      'sort-ticket-2': 'Rank.',
      'to-reply': 'Reply.',
      triage: 'Order.',
      'triage-2': 'List.',
    })
  })

  test('a name that YAML would read as something else is a slug', async () => {
    const { texts } = await extract({
      '2024.ts': `export const NULL = 'First. ${MORE}'\nconst $ = 'Second. ${MORE}'\nlog('Third. ${MORE}')\n`,
    })
    expect(texts).toEqual({ null: 'First.', '-': 'Second.', '2024': 'Third.' })
  })

  test('every file that is named is read, and a slug is there once', async () => {
    const { texts } = await extract({
      'a.ts': `export const RULES = 'First. ${MORE}'\n`,
      'b.ts': `export const rules = 'Second. ${MORE}'\n`,
    })
    expect(texts).toEqual({ rules: 'First.', 'rules-2': 'Second.' })
  })
})

test('an import of a text file is a prompt, byte for byte', async () => {
  const text = 'Sort {ticket}.\r\n\tKeep `${code}` and "quotes" \\n.\n\n'
  const { calls, texts } = await extract({
    'a.ts': `import sortTicket from './texts/sort.txt?raw'\nsortTicket.replace('{ticket}', ticket)\n`,
    'texts/sort.txt': text,
  })
  expect(texts).toEqual({ 'sort-ticket': text.replace('{ticket}', '{{ ticket }}') })
  expect(calls).toEqual([`prompts['sort-ticket'].render({ ticket })`])
})
