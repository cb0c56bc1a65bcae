import { describe, expect, test } from 'vitest'
import { isPromptsError } from '../../../src/errors/prompts-error.ts'
import { parseWorkspace } from '../../../src/local-service/workspace.ts'
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

const FILES = [
  { title: 'an empty file', given: '', want: ['the file: must be a mapping of names to values'] },
  { title: 'a list', given: '- a', want: ['the file: must be a mapping of names to values'] },
  { title: 'no prompts', given: 'planStatus: active', want: ['prompts: is missing'] },
  { title: 'prompts left empty', given: 'prompts:', want: ['prompts: must be a list'] },
  {
    title: 'a prompt that is text',
    given: 'prompts: [a]',
    want: ['prompts[0]: must be a mapping of names to values'],
  },
  {
    title: 'a plan status that no header can carry',
    given: 'planStatus: "a\\nb"\nprompts: []',
    want: ['planStatus: must be one or more printable ASCII characters'],
  },
  {
    title: 'an unknown field at the top',
    given: 'prompts: []\nplan: active',
    want: ['plan: is an unknown field; known fields are planStatus, prompts'],
  },
  {
    title: 'broken YAML, with its line',
    given: 'prompts:\n  - slug: "a\n    folder: f\n',
    want: [expect.stringMatching(/^line \d: Missing closing "quote/)],
  },
  {
    title: 'a tab as indentation',
    given: 'prompts:\n\t- slug: a\n',
    want: ['line 2: Tabs are not allowed as indentation'],
  },
  {
    title: 'two documents',
    given: 'prompts: []\n---\nprompts: []\n',
    want: ['line 2: a workspace file is one document; `---` is only allowed at the beginning'],
  },
  {
    title: 'an unquoted token',
    given: 'prompts:\n  - slug: {{ a }}\n',
    want: [expect.stringMatching(/^line 2: .*needs quotes or a block/)],
  },
  {
    title: 'an alias to nowhere',
    given: 'prompts: *a\n',
    want: [expect.stringMatching(/^aliases: .*Unresolved alias/)],
  },
  {
    title: 'an unknown tag',
    given: 'prompts: !x []\n',
    want: ['line 1: Unresolved tag: !x'],
  },
]

const FIELDS = [
  {
    given: { slug: 'slug: 1' },
    want: ['slug: must be text, and YAML reads 1 as a number; write "1"'],
  },
  { given: { model: 'model: null' }, want: ['model: must be text, and is empty'] },
  { given: { folder: 'folder: [f]' }, want: ['folder: must be text'] },
  {
    given: { slug: 'slug: true' },
    want: ['slug: must be text, and YAML reads true as a boolean; write "true"'],
  },
  {
    given: { live: 'live: 1.10', versions: 'versions: { 1.10: { system: S } }' },
    want: ['live: must be text, and YAML reads 1.10 as a number; write "1.10"'],
  },
  { given: { temperature: 'temperature: .inf' }, want: ['temperature: must be a finite number'] },
  { given: { temperature: 'temperature: .nan' }, want: ['temperature: must be a number'] },
  { given: { temperature: 'temperature: "1"' }, want: ['temperature: must be a number'] },
  { given: { temperature: '' }, want: ['temperature: is missing'] },
  { given: { live: 'live: v9' }, want: ['versions: has no version v9, which live names'] },
  {
    given: { live: 'live: toString' },
    want: ['versions: has no version toString, which live names'],
  },
  {
    given: { staging: 'staging: v8' },
    want: ['versions: has no version v8, which staging names'],
  },
  { given: { versions: '' }, want: ['versions: is missing'] },
  {
    given: { versions: 'versions: [v1]' },
    want: ['versions: must be a mapping of names to values'],
  },
  {
    given: { versions: 'versions: { v1: S }' },
    want: ['versions.v1: must be a mapping of names to values'],
  },
  {
    given: { versions: 'versions: { v1: { user: U } }' },
    want: ['versions.v1.system: is missing'],
  },
  {
    given: { versions: 'versions: { v1: { system: S }, "v 2": { system: S, extra: 1 } }' },
    want: ['versions["v 2"].extra: is an unknown field; known fields are system, user'],
  },
]

describe('a problem in a workspace file', () => {
  test.each(FILES)('names $title', ({ given, want }) => {
    expect(problemsOf(given)).toStrictEqual(want)
  })

  test.each(FIELDS)('names the field: $want', ({ given, want }) => {
    const path = want.map((problem) => `prompts[0].${problem}`)
    expect(problemsOf(workspaceYaml(given))).toStrictEqual(path)
  })

  test('is reported with all others, whatever their kind', () => {
    const text = workspaceYaml(
      { temperature: 'temprature: 1', model: '' },
      { folder: 'folder: f\n    folder: g', live: 'live: v9', versions: 'versions: { v1: {} }' },
      { slug: 'slug: b', top: 'one: 1', other: 'two: 2' },
    )
    expect(problemsOf(text)).toStrictEqual([
      'line 9: duplicate key',
      'prompts[0].model: is missing',
      'prompts[0].temperature: is missing',
      expect.stringContaining('prompts[0].temprature: is an unknown field'),
      'prompts[1].versions.v1.system: is missing',
      expect.stringContaining('prompts[2].one: is an unknown field'),
      expect.stringContaining('prompts[2].two: is an unknown field'),
      'prompts[1].versions: has no version v9, which live names',
      'prompts[1].slug: a is already the slug of prompts[0]',
    ])
  })
})
