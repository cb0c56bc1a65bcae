import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variablesOf } from '../../src/core/template.ts'
import { isPromptsError } from '../../src/errors.ts'
import { parseWorkspace } from '../../src/server/workspace.ts'

/** A prompt in YAML, with some of its lines replaced; an empty line is left out. */
function promptYaml(lines: Readonly<Record<string, string>> = {}): string {
  const fields = {
    slug: 'slug: a',
    folder: 'folder: f',
    model: 'model: m',
    temperature: 'temperature: 1',
    live: 'live: v1',
    staging: '',
    versions: 'versions: { v1: { system: S } }',
    ...lines,
  }
  const given = Object.values(fields).filter((line) => line !== '')
  return given.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}\n`).join('')
}

function workspaceYaml(...prompts: readonly Readonly<Record<string, string>>[]): string {
  return `prompts:\n${prompts.map(promptYaml).join('')}`
}

function problemsOf(text: string): readonly string[] {
  try {
    parseWorkspace(text, 'w.yaml')
  } catch (error) {
    if (!isPromptsError(error, 'WORKSPACE_INVALID')) throw error
    expect(error.details.path).toBe('w.yaml')
    return error.details.problems
  }
  return []
}

describe('a workspace file', () => {
  test('gives each prompt with the versions that keys can see', () => {
    const versions =
      'versions: { v1: { system: S, user: U }, v2: { system: T }, v3: { system: X } }'
    const workspace = parseWorkspace(workspaceYaml({ staging: 'staging: v2', versions }), 'w.yaml')
    expect(workspace).toStrictEqual({
      planStatus: 'active',
      prompts: new Map([
        [
          'a',
          {
            slug: 'a',
            folder: 'f',
            model: 'm',
            temperature: 1,
            live: { version: 'v1', system: 'S', user: 'U', source: 'S\n\nU' },
            staging: { version: 'v2', system: 'T', user: '', source: 'T' },
          },
        ],
      ]),
    })
  })

  test.each([
    { given: '{ system: S, user: U }', want: { system: 'S', user: 'U', source: 'S\n\nU' } },
    { given: '{ system: S }', want: { system: 'S', user: '', source: 'S' } },
    { given: '{ system: S, user: }', want: { system: 'S', user: '', source: 'S' } },
    { given: '{ system: "", user: U }', want: { system: '', user: 'U', source: 'U' } },
    { given: '{ system: "" }', want: { system: '', user: '', source: '' } },
    {
      given: '{ system: "S\\n", user: U }',
      want: { system: 'S\n', user: 'U', source: 'S\n\n\nU' },
    },
  ])('joins system and user text with a blank line: $given', ({ given, want }) => {
    const text = workspaceYaml({ versions: `versions: { v1: ${given} }` })
    expect(parseWorkspace(text, 'w.yaml').prompts.get('a')?.live).toStrictEqual({
      version: 'v1',
      ...want,
    })
  })

  test.each([
    { given: 'staging:', title: 'is left empty' },
    { given: 'staging: null', title: 'is null' },
    { given: '', title: 'is left out' },
  ])('has no staging version where that $title', ({ given }) => {
    const workspace = parseWorkspace(workspaceYaml({ staging: given }), 'w.yaml')
    expect(workspace.prompts.get('a')?.staging).toBeNull()
  })

  test('may label a version with a quoted number or a name that objects inherit', () => {
    const text = workspaceYaml({
      live: 'live: "1.10"',
      staging: 'staging: __proto__',
      versions: 'versions: { 1.10: { system: S }, __proto__: { system: T } }',
    })
    expect(parseWorkspace(text, 'w.yaml').prompts.get('a')).toMatchObject({
      live: { version: '1.10', system: 'S' },
      staging: { version: '__proto__', system: 'T' },
    })
  })

  test('gives the same with CRLF and a byte order mark', () => {
    const text = workspaceYaml({
      versions: 'versions:\n      v1:\n        system: |\n          one\n          two',
    })
    const foreign = `\uFEFF${text.replaceAll('\n', '\r\n')}`
    expect(parseWorkspace(foreign, 'w.yaml')).toStrictEqual(parseWorkspace(text, 'w.yaml'))
  })
})

describe('a problem in a workspace file', () => {
  test.each([
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
      want: ['plan: is no field here; there are planStatus, prompts'],
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
      want: ['line 2: a workspace is one document, so --- can stand only at its top'],
    },
    {
      title: 'an unquoted token',
      given: 'prompts:\n  - slug: {{ a }}\n',
      want: [expect.stringMatching(/^line 2: .*wants quotes or a block/)],
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
  ])('names $title', ({ given, want }) => {
    expect(problemsOf(given)).toStrictEqual(want)
  })

  test.each([
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
      want: ['versions["v 2"].extra: is no field here; there are system, user'],
    },
  ])('names the field: $want', ({ given, want }) => {
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
      'line 9: this key is there twice',
      'prompts[0].model: is missing',
      'prompts[0].temperature: is missing',
      expect.stringContaining('prompts[0].temprature: is no field here'),
      'prompts[1].versions.v1.system: is missing',
      expect.stringContaining('prompts[2].one: is no field here'),
      expect.stringContaining('prompts[2].two: is no field here'),
      'prompts[1].versions: has no version v9, which live names',
      'prompts[1].slug: a is already the slug of prompts[0]',
    ])
  })
})

describe('the workspace of the playground', () => {
  const path = `${import.meta.dirname}/../../playground/workspace.yaml`
  const { prompts } = parseWorkspace(readFileSync(path, 'utf8'), path)
  const variables = (slug: string, field: 'live' | 'staging'): string[] => {
    const version = prompts.get(slug)?.[field]
    return version ? variablesOf([version.system, version.user]).toSorted() : []
  }

  test('has ten prompts in five folders', () => {
    expect(prompts.size).toBe(10)
    const folders = new Set([...prompts.values()].map(({ folder }) => folder))
    expect([...folders].toSorted()).toStrictEqual([
      'content',
      'engineering',
      'ops',
      'sales',
      'support',
    ])
  })

  test.each([
    { slug: 'support-triage', live: ['ticket', 'tone'], staging: ['ticket', 'tone'] },
    {
      slug: 'support-reply',
      live: ['customer_name', 'knowledge', 'product', 'ticket'],
      staging: ['customer_name', 'knowledge', 'previous_replies', 'product', 'ticket'],
    },
    {
      slug: 'sales-follow-up',
      live: ['call_notes', 'contact', 'product'],
      staging: ['call_notes', 'customer_name', 'product'],
    },
  ])('shows a draft of $slug', ({ slug, live, staging }) => {
    expect(variables(slug, 'live')).toStrictEqual(live)
    expect(variables(slug, 'staging')).toStrictEqual(staging)
    expect(prompts.get(slug)?.staging?.source).not.toBe(prompts.get(slug)?.live.source)
  })
})
