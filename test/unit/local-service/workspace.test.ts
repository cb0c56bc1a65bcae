import { describe, expect, test } from 'vitest'
import { parseWorkspace } from '../../../src/local-service/workspace-file.ts'
import { workspaceYaml } from '../../helpers/workspace-yaml.ts'

const JOINS = [
  { given: '{ system: S, user: U }', want: { system: 'S', user: 'U', source: 'S\n\nU' } },
  { given: '{ system: S }', want: { system: 'S', user: '', source: 'S' } },
  { given: '{ system: S, user: }', want: { system: 'S', user: '', source: 'S' } },
  { given: '{ system: "", user: U }', want: { system: '', user: 'U', source: 'U' } },
  { given: '{ user: U }', want: { system: '', user: 'U', source: 'U' } },
  { given: '{ system: , user: U }', want: { system: '', user: 'U', source: 'U' } },
  { given: '{ system: "" }', want: { system: '', user: '', source: '' } },
  {
    given: '{ system: "S\\n", user: U }',
    want: { system: 'S\n', user: 'U', source: 'S\n\n\nU' },
  },
]

describe('a workspace file', () => {
  test('has each prompt with the versions that keys can see', () => {
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

  test.each(JOINS)('joins system and user text with a blank line: $given', ({ given, want }) => {
    const text = workspaceYaml({ versions: `versions: { v1: ${given} }` })
    expect(parseWorkspace(text, 'w.yaml').prompts.get('a')?.live).toStrictEqual({
      version: 'v1',
      ...want,
    })
  })

  test('may leave out folder, model and temperature', () => {
    const workspace = parseWorkspace(
      workspaceYaml({ folder: '', model: 'model:', temperature: '' }),
      'w.yaml',
    )
    expect(workspace.prompts.get('a')).toMatchObject({ folder: '', model: '', temperature: 0 })
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

  test('means the same with CRLF and a byte order mark', () => {
    const text = workspaceYaml({
      versions: 'versions:\n      v1:\n        system: |\n          one\n          two',
    })
    const foreign = `\uFEFF${text.replaceAll('\n', '\r\n')}`
    expect(parseWorkspace(foreign, 'w.yaml')).toStrictEqual(parseWorkspace(text, 'w.yaml'))
  })
})
