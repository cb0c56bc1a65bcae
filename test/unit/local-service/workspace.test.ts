import { describe, expect, test } from 'vitest'
import { isPromptsError } from '../../../src/errors/prompts-error.ts'
import { missingSettings } from '../../../src/core/settings.ts'
import { parseWorkspace, type WorkspacePrompt } from '../../../src/local-service/workspace.ts'
import { workspaceYaml } from '../../helpers/workspace-yaml.ts'

/** The prompt of a file that is valid but for these lines of it. */
function promptOf(lines: Readonly<Record<string, string>>): WorkspacePrompt | undefined {
  return parseWorkspace(workspaceYaml(lines), 'w.yaml').prompts.get('a')
}

test('a workspace file has each prompt with the versions that keys can see', () => {
  const versions = 'versions: { v1: { system: S, user: U }, v2: { system: T }, v3: { system: X } }'
  const text = workspaceYaml({ staging: 'staging: v2', versions })
  const settings = { ...missingSettings(), slug: 'a', folder: 'f', model: 'm', temperature: 1 }
  const prompt = {
    slug: 'a',
    live: { ...settings, version: 'v1', system: 'S', user: 'U', source: 'S\n\nU' },
    staging: { ...settings, version: 'v2', system: 'T', user: '', source: 'T' },
  }
  const workspace = { planStatus: 'active', prompts: new Map([['a', prompt]]) }
  expect(parseWorkspace(text, 'w.yaml')).toStrictEqual(workspace)
})

test.each([
  ['{ system: S, user: U }', 'S', 'U', 'S\n\nU'],
  ['{ system: S }', 'S', '', 'S'],
  ['{ system: S, user: }', 'S', '', 'S'],
  ['{ system: "", user: U }', '', 'U', 'U'],
  ['{ user: U }', '', 'U', 'U'],
  ['{ system: , user: U }', '', 'U', 'U'],
  ['{ system: "" }', '', '', ''],
  ['{ system: "S\\n", user: U }', 'S\n', 'U', 'S\n\n\nU'],
])('the texts %s are joined with a blank line', (given, system, user, source) => {
  const prompt = promptOf({ versions: `versions: { v1: ${given} }` })
  expect(prompt?.live).toMatchObject({ version: 'v1', system, user, source })
})

test('a prompt may leave out folder, model and temperature', () => {
  const prompt = promptOf({ folder: '', model: 'model:', temperature: '' })
  expect(prompt?.live).toMatchObject({ folder: '', model: '', temperature: null })
})

test.each(['staging:', 'staging: null', ''])('with the line %j, nothing is staged', (staging) => {
  expect(promptOf({ staging })?.staging).toBeNull()
})

test('a label may be a quoted number or a name that objects inherit', () => {
  const prompt = promptOf({
    live: 'live: "1.10"',
    staging: 'staging: __proto__',
    versions: 'versions: { 1.10: { system: S }, __proto__: { system: T } }',
  })
  expect(prompt).toMatchObject({
    live: { version: '1.10', system: 'S' },
    staging: { version: '__proto__', system: 'T' },
  })
})

test('a workspace file means the same with CRLF and a byte order mark', () => {
  const versions = 'versions:\n      v1:\n        system: |\n          one\n          two'
  const text = workspaceYaml({ versions })
  const foreign = `\uFEFF${text.replaceAll('\n', '\r\n')}`
  expect(parseWorkspace(foreign, 'w.yaml')).toStrictEqual(parseWorkspace(text, 'w.yaml'))
})

/** The problems of a workspace file, by the line or field that each begins with. */
function problemsOf(text: string): [place: string, problem: string][] {
  try {
    parseWorkspace(text, 'w.yaml')
  } catch (error) {
    if (!isPromptsError(error, 'WORKSPACE_INVALID')) throw error
    return error.details.problems.map((problem) => [problem.split(': ')[0] ?? '', problem])
  }
  return []
}

const FILES: readonly (readonly [title: string, text: string, place: string])[] = [
  ['an empty file', '', 'the file'],
  ['a list', '- a', 'the file'],
  ['no prompts', 'planStatus: active', 'prompts'],
  ['prompts left empty', 'prompts:', 'prompts'],
  ['a prompt that is text', 'prompts: [a]', 'prompts[0]'],
  ['a plan status of two lines', 'planStatus: "a\\nb"\nprompts: []', 'planStatus'],
  ['an unknown field', 'prompts: []\nplan: active', 'plan'],
  ['broken YAML', 'prompts:\n  - slug: "a\n    folder: f\n', 'line 4'],
  ['a tab as indentation', 'prompts:\n\t- slug: a\n', 'line 2'],
  ['two documents', 'prompts: []\n---\nprompts: []\n', 'line 2'],
  ['an unquoted token', 'prompts:\n  - slug: {{ a }}\n', 'line 2'],
  ['an alias to nowhere', 'prompts: *a\n', 'aliases'],
  ['an unknown tag', 'prompts: !x []\n', 'line 1'],
]

/** Lines of a prompt that is valid without them, by their field. */
const FIELDS: readonly (readonly [lines: Readonly<Record<string, string>>, field: string])[] = [
  [{ slug: 'slug: 1' }, 'slug'],
  [{ model: 'model: 4' }, 'model'],
  [{ folder: 'folder: [f]' }, 'folder'],
  [{ slug: 'slug: true' }, 'slug'],
  [{ live: 'live: 1.10', versions: 'versions: { 1.10: { system: S } }' }, 'live'],
  [{ temperature: 'temperature: .inf' }, 'temperature'],
  [{ temperature: 'temperature: .nan' }, 'temperature'],
  [{ temperature: 'temperature: "1"' }, 'temperature'],
  [{ live: 'live: v9' }, 'versions'],
  [{ live: 'live: toString' }, 'versions'],
  [{ staging: 'staging: v8' }, 'versions'],
  [{ versions: '' }, 'versions'],
  [{ versions: 'versions: [v1]' }, 'versions'],
  [{ versions: 'versions: { v1: S }' }, 'versions.v1'],
  [{ versions: 'versions: { v1: {} }' }, 'versions.v1'],
  [{ versions: 'versions: { v1: { user: } }' }, 'versions.v1'],
  [{ versions: 'versions: { v1: { system: S }, "v 2": { user: U, x: 1 } }' }, 'versions["v 2"].x'],
]

describe('a problem in a workspace file', () => {
  const fields = FIELDS.map(([lines, field]) => {
    const [name = '', text] = Object.entries(lines)[0] ?? []
    return [text || `no ${name}`, workspaceYaml(lines), `prompts[0].${field}`] as const
  })

  const given = [...FILES, ...fields]

  test.each(given)('the problem of %s names its place', (_, text, place) => {
    expect(problemsOf(text).map(([where]) => where)).toEqual([place])
  })

  test('each problem says what is expected', () => {
    const problems = given.map(([title, text]) => `${title}: ${problemsOf(text)[0]?.[1]}`)
    expect(problems.join('\n')).toMatchSnapshot()
  })

  test('a problem is reported with all others, whatever their kind', () => {
    const text = workspaceYaml(
      { temperature: 'temprature: 1', live: '' },
      { folder: 'folder: f\n    folder: g', live: 'live: v9', versions: 'versions: { v1: {} }' },
      { slug: 'slug: b', top: 'one: 1', other: 'two: 2' },
    )
    expect(problemsOf(text).map(([place]) => place)).toEqual([
      'line 9',
      'prompts[0].live',
      'prompts[0].temprature',
      'prompts[1].versions.v1',
      'prompts[2].one',
      'prompts[2].two',
      'prompts[1].versions',
      'prompts[1].slug',
    ])
  })
})
