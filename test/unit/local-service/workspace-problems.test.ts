import { describe, expect, test } from 'vitest'
import { isPromptsError } from '../../../src/errors/prompts-error.ts'
import { parseWorkspace } from '../../../src/local-service/workspace-file.ts'
import { workspaceYaml } from '../../helpers/workspace-yaml.ts'

function problemsOf(text: string): readonly string[] {
  try {
    parseWorkspace(text, 'w.yaml')
  } catch (error) {
    if (isPromptsError(error, 'WORKSPACE_INVALID')) return error.details.problems
    throw error
  }
  return []
}

/** The line or field that each problem begins with. */
function placesOf(problems: readonly string[]): string[] {
  return problems.map((problem) => problem.split(': ')[0] ?? '')
}

const FILES = [
  { title: 'an empty file', given: '', want: 'the file' },
  { title: 'a list', given: '- a', want: 'the file' },
  { title: 'no prompts', given: 'planStatus: active', want: 'prompts' },
  { title: 'prompts left empty', given: 'prompts:', want: 'prompts' },
  { title: 'a prompt that is text', given: 'prompts: [a]', want: 'prompts[0]' },
  {
    title: 'a plan status that no header can carry',
    given: 'planStatus: "a\\nb"\nprompts: []',
    want: 'planStatus',
  },
  { title: 'an unknown field at the top', given: 'prompts: []\nplan: active', want: 'plan' },
  {
    title: 'broken YAML, with its line',
    given: 'prompts:\n  - slug: "a\n    folder: f\n',
    want: 'line 4',
  },
  { title: 'a tab as indentation', given: 'prompts:\n\t- slug: a\n', want: 'line 2' },
  { title: 'two documents', given: 'prompts: []\n---\nprompts: []\n', want: 'line 2' },
  { title: 'an unquoted token', given: 'prompts:\n  - slug: {{ a }}\n', want: 'line 2' },
  { title: 'an alias to nowhere', given: 'prompts: *a\n', want: 'aliases' },
  { title: 'an unknown tag', given: 'prompts: !x []\n', want: 'line 1' },
]

const FIELDS = [
  { given: { slug: 'slug: 1' }, want: 'slug' },
  { given: { model: 'model: 4' }, want: 'model' },
  { given: { folder: 'folder: [f]' }, want: 'folder' },
  { given: { slug: 'slug: true' }, want: 'slug' },
  { given: { live: 'live: 1.10', versions: 'versions: { 1.10: { system: S } }' }, want: 'live' },
  { given: { temperature: 'temperature: .inf' }, want: 'temperature' },
  { given: { temperature: 'temperature: .nan' }, want: 'temperature' },
  { given: { temperature: 'temperature: "1"' }, want: 'temperature' },
  { given: { live: 'live: v9' }, want: 'versions' },
  { given: { live: 'live: toString' }, want: 'versions' },
  { given: { staging: 'staging: v8' }, want: 'versions' },
  { given: { versions: '' }, want: 'versions' },
  { given: { versions: 'versions: [v1]' }, want: 'versions' },
  { given: { versions: 'versions: { v1: S }' }, want: 'versions.v1' },
  { given: { versions: 'versions: { v1: {} }' }, want: 'versions.v1' },
  { given: { versions: 'versions: { v1: { user: } }' }, want: 'versions.v1' },
  {
    given: { versions: 'versions: { v1: { system: S }, "v 2": { system: S, extra: 1 } }' },
    want: 'versions["v 2"].extra',
  },
]

/** The lines that differ from those of a valid prompt. */
function titleOf(given: Readonly<Record<string, string>>): string {
  const lines = Object.entries(given).map(([name, line]) => (line === '' ? `no ${name}` : line))
  return lines.join(', ')
}

describe('a problem in a workspace file', () => {
  test.each(FILES)('names $title', ({ given, want }) => {
    expect(placesOf(problemsOf(given))).toEqual([want])
    expect(problemsOf(given)).toMatchSnapshot('problems')
  })

  const titled = FIELDS.map((each) => ({ ...each, title: titleOf(each.given) }))
  test.each(titled)('names the field: $title', ({ given, want }) => {
    const problems = problemsOf(workspaceYaml(given))
    expect(placesOf(problems)).toEqual([`prompts[0].${want}`])
    expect(problems).toMatchSnapshot('problems')
  })

  test('is reported with all others, whatever their kind', () => {
    const text = workspaceYaml(
      { temperature: 'temprature: 1', live: '' },
      { folder: 'folder: f\n    folder: g', live: 'live: v9', versions: 'versions: { v1: {} }' },
      { slug: 'slug: b', top: 'one: 1', other: 'two: 2' },
    )
    expect(placesOf(problemsOf(text))).toEqual([
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
