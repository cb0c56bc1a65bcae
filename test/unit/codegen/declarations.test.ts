import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Lock, PinnedPrompt } from '../../../src/core/prompt.ts'
import {
  generatedHeader,
  haveSameCode,
  haveSameTokens,
  printDeclarations,
  printModuleDeclarations,
} from '../../../src/codegen/declarations.ts'
import { planModule, planTexts, promptOf } from '../../../src/codegen/plan-module.ts'
import { HOSTILE, hostilePrompt } from '../../helpers/hostile.ts'
import { liveLock, lockOf, pinned } from '../../helpers/pinned.ts'
import { sweep } from '../../helpers/sweep.ts'
import { Project, SyntaxKind, ts } from 'ts-morph'

function print(lock: Lock): string {
  return printDeclarations(planModule(lock, 'live'))
}

/** What an editor shows for a prompt. */
function docOf(fields: Partial<PinnedPrompt>): string | undefined {
  const { problems, prompts } = parseDeclarations(print(liveLock(fields)))
  expect(problems).toEqual([])
  return prompts[0]?.doc
}

describe('the declarations', () => {
  test('declare both modules, and each prompt once with its contract', () => {
    const { problems, modules, prompts, aliases } = parseDeclarations(
      print(
        liveLock(
          { slug: 'plain', model: 'gpt-6', system: '', user: 'Hello' },
          { slug: 'support-triage', system: '{{b}} {{a}} {{ b }}' },
        ),
      ),
    )
    expect(problems).toEqual([])
    expect(modules).toEqual(['virtual:prompts', 'virtual:prompts/all', 'virtual:prompts/staging'])
    expect(prompts.map(({ contract }) => contract)).toEqual([
      { name: 'plain', slug: 'plain', model: 'gpt-6', roles: ['user'], variables: [], tags: [] },
      {
        name: 'supportTriage',
        slug: 'support-triage',
        model: 'gpt-5',
        roles: ['system'],
        variables: ['b', 'a'],
        tags: [],
      },
    ])
    expect(aliases).toEqual({ 'support-triage': 'supportTriage' })
  })

  test('differ in the doc comment alone if only texts changed', () => {
    const [before, after] = ['Sort {{ ticket }}.', 'Order {{ ticket }}.'].map((system, index) =>
      print(liveLock({ slug: 'support-triage', system, version: `v${index}` })),
    )
    const code = (text = '') => text.replaceAll(/^ +\*.*\n/gm, '')
    expect(after).not.toBe(before)
    expect(code(after)).toBe(code(before))
  })

  test('end with a newline, and have no line ends but LF', () => {
    const lock = liveLock({ slug: 'a', system: 'a\r\nb\rc\u2028d' })
    expect(print(lock)).toMatch(/[^\n]\n$/)
    expect(print(lock)).not.toMatch(/[\r\u2028]/)
  })

  test('have staging as what the drafts change; the types that it does not use are not imported', () => {
    const live = [{ slug: 'a' }, { slug: 'b-c' }]
    const stagingOf = (staging: readonly Partial<PinnedPrompt>[]): string => {
      const text = print(lockOf({ live, staging }))
      expect(parseDeclarations(text).problems).toEqual([])
      return text.split('virtual:prompts/staging"')[1] ?? ''
    }
    const plain = stagingOf([])
    expect(plain).not.toContain('Omit')
    const added = stagingOf([{ slug: 'new' }, { slug: 'newer' }])
    expect(added).toContain('interface Prompts extends Live {')
    const staged = stagingOf([{ slug: 'b-c', system: '{{ tone }}' }, { slug: 'new' }])
    expect(staged.replaceAll(/\s+/g, ' ')).toContain('Omit< Live, | "b-c" | "bC" >')
    expect(staged).toContain('tone:')
    expect(staged).not.toContain('readonly a:')
    for (const text of [plain, added, staged])
      for (const [, name = ''] of text.matchAll(/import type .* as (\w+)/g))
        expect(text.split(name).length).toBeGreaterThan(2)
  })

  test('are complete without prompts', () => {
    const text = print(liveLock())
    const { problems, modules, prompts } = parseDeclarations(text)
    expect([problems, modules.length, prompts]).toEqual([[], 3, []])
    // `{}` would be any value.
    expect(text).not.toMatch(/= \{\s*\}/)
    expect(text).toContain('declare module "virtual:prompts/all" {\n}')
  })

  test.each([
    ['prompts', lockOf({ live: [{ slug: 'a-b' }], staging: [{ slug: 'c' }] })],
    ['no prompts', liveLock()],
  ])('of files with %s are those of the modules, with paths', (_, lock) => {
    const modules = print(lock)
      .split(/^declare module .*\n/m)
      .slice(1)
    const [entry, all, staging] = modules.map((text) =>
      text.replaceAll(/^ {2}|^\}\n+/gm, '').replace('"virtual:prompts"', '"./index.js"'),
    )
    const header = `${generatedHeader('generate', 'app')}\n`
    expect(printModuleDeclarations(planModule(lock, 'live'), 'app')).toEqual({
      entry: header + entry,
      all: header + (all || 'export {};\n'),
      staging: header + staging?.replace('./index.js', '../index.js'),
    })
  })

  test('of any prompts have exactly the planned names with their contracts, and neutral comments', () => {
    const size = { minLength: 30, maxLength: 30 }
    const many = fc.uniqueArray(hostilePrompt, { selector: ({ slug }) => slug, ...size })
    fc.assert(
      fc.property(many, (prompts) => {
        const lock = liveLock(...prompts)
        const declared = parseDeclarations(print(lock))
        const planned = planModule(lock, 'live').prompts
        const wanted = planned.map(({ names, ...selected }) => {
          const prompt = promptOf(selected)
          const { slug, model } = prompt
          const tokens = planTexts(prompt).texts.flat()
          const variables = tokens.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
          const roles = (['system', 'user'] as const).filter((role) => prompt[role] !== '')
          return {
            name: names.at(-1),
            slug,
            model,
            roles,
            variables: [...new Set(variables)],
            tags: [],
          }
        })
        expect(declared.problems).toEqual([])
        expect(declared.prompts.map(({ contract }) => contract)).toEqual(wanted)
        for (const { doc } of declared.prompts) expect(doc.match(/```/g)).toHaveLength(2)
        const twoNames = planned.filter(({ names }) => names.length > 1)
        expect(declared.aliases).toEqual(Object.fromEntries(twoNames.map(({ names }) => names)))
      }),
      { ...sweep(8), examples: [[HOSTILE_PROMPTS]] },
    )
  })
})

const MARKS = ['*\u200b/', '**//', '\n@deprecated', '```', '\n```\n@see x', 'a\\', 'b"\\\\']

/** Prompts with a hostile text in all fields. Texts can end with a backslash. */
const HOSTILE_PROMPTS = [...HOSTILE, ...MARKS].map((text, index) => {
  const texts = { folder: text, model: text, version: text, system: text, user: text }
  return pinned({ slug: `${index}${text}`, ...texts })
})

const HALF = `${'x'.repeat(95)}😀 and more`
const BEGINNING = 'support · gpt-5 · v22\n\n```text\n'

describe('the doc comment of a prompt', () => {
  test.each([
    [
      'its folder and two lines',
      { system: 'Be kind.\n \nTwo\nThree', user: 'U' },
      'Be kind.\nTwo\n',
    ],
    ['the user text if that is all', { system: '', user: '{{ ticket }}' }, '{{ ticket }}\n'],
    ['the beginning of a long line', { system: 'x'.repeat(5000) }, `${'x'.repeat(96)}\n`],
    ['no half of a character at the end of a line', { system: HALF }, `${'x'.repeat(95)}\n`],
    ['no half of a character at the end of what is read', { system: `${'\n'.repeat(999)}😀` }, ''],
  ])('shows %s', (_, fields, want) => {
    expect(docOf(fields)).toBe(`${BEGINNING}${want}\`\`\``)
  })

  test('leaves out what is empty', () => {
    expect(docOf({ folder: '', system: '', user: '' })).toBe('gpt-5 · v22\n\n```text\n```')
  })

  test.each(['![a](https://a.example/b.png)', '[a](b)', '<img src=x>'])(
    'shows %s as text where it is in no block of code',
    (text) => {
      const [place] = docOf({ folder: text, model: text, version: text })?.split('\n') ?? []
      expect(place).not.toMatch(/[<[]/)
    },
  )
})

test.each([
  [true, 'other quotes', String.raw`"it's \"a\""`, String.raw`'it\'s "a"'`],
  [true, 'a comment of someone else', 'a // mine\n/* ours */', 'a'],
  [
    true,
    'members in another order',
    '{ readonly a: X<{ c: 1; d: 2 }>; "b-c"?: 3 }',
    `{ 'b-c'?: 3, readonly a: X<{ d: 2, c: 1 }> }`,
  ],
  [false, 'members that swapped their types', '{ a: 1; b: 2 }', '{ a: 2; b: 1 }'],
  [
    false,
    'members that swapped their modifiers',
    '{ readonly a: 1; b: 1 }',
    '{ a: 1; readonly b: 1 }',
  ],
  [false, 'a member of another member', '{ a: { c: 1 }; b: {} }', '{ a: {}; b: { c: 1 } }'],
  [false, 'parameters in another order', '(a: 1, b: 2)', '(b: 2, a: 1)'],
  [false, 'another map', '//# a', '//# b'],
  [false, 'words that became one', 'a b', 'ab'],
  [false, 'another escape', String.raw`"\n"`, '"n"'],
  [false, 'another text that looks like a doc comment', '= "/** a */"', '= "/** b */"'],
  [false, 'another text that looks like a comment', '"a//b"', '"a//c"'],
])('it is %j that code stays the same with %s', (isSame, _, one, other) => {
  expect(haveSameCode(one, other)).toBe(isSame)
})

test('declarations with members that a formatter sorted have the same tokens', () => {
  const lock = liveLock(
    { slug: 'support-reply', folder: 'a: b', system: '{{ b }} {{ a }}', version: 'v1' },
    { slug: 'farewell', model: '}', system: 'readonly', version: 'v2' },
  )
  const text = print(lock)
  const file = ts.createSourceFile('prompts.d.ts', text, ts.ScriptTarget.Latest, true)
  const sorted = (node: ts.Node): string => {
    const members = ts.isTypeLiteralNode(node) ? node.members.toReversed() : []
    const children = node.getChildren().filter((child) => !ts.isJSDoc(child))
    if (members.length > 0) return ` {\n${members.map(sorted).join('\n')}\n}`
    return children.length > 0 ? children.map(sorted).join('') : node.getFullText()
  }
  expect(sorted(file)).not.toBe(text)
  expect(haveSameTokens(sorted(file), text)).toBe(true)
  for (const [from, to] of [
    ['v1', 'v2'],
    ['a: b', 'c: b'],
    ['a: b', 'a:b'],
  ] as const)
    expect(haveSameTokens(sorted(file).replace(from, to), text)).toBe(false)
})

/** A member of the type of all prompts as TypeScript reads it. */
interface DeclaredPrompt {
  readonly contract: {
    readonly name: string
    readonly slug: string
    readonly model: string
    readonly roles: readonly string[]
    readonly variables: readonly string[]
    /** In its comment; none is wanted. */
    readonly tags: readonly string[]
  }
  readonly doc: string
}

/** Reads the text of `prompts.d.ts` with TypeScript. */
function parseDeclarations(text: string) {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const file = project.createSourceFile('prompts.d.ts', text)
  const diagnostics = project.getProgram().getSyntacticDiagnostics(file)
  const declared = file
    .getDescendantsOfKind(SyntaxKind.TypeAliasDeclaration)
    .find((type) => type.getName() === 'Prompts')
  const prompts: DeclaredPrompt[] = []
  const aliases: Record<string, unknown> = {}
  for (const member of membersOf(declared?.compilerNode.type)) {
    if (member.type && ts.isTypeReferenceNode(member.type))
      prompts.push(readMember(member, member.type))
    else if (member.type && ts.isIndexedAccessTypeNode(member.type))
      [aliases[nameOf(member)]] = literals(member.type.indexType)
  }
  return {
    problems: diagnostics.map((diagnostic) => String(diagnostic.getMessageText())),
    modules: file.getModules().map((module) => JSON.parse(module.getName()) as string),
    prompts,
    /** Names that refer to another. */
    aliases,
  }
}

function membersOf(type: ts.TypeNode | undefined): ts.PropertySignature[] {
  return type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : `odd: ${name.getText()}`
}

function readMember(member: ts.PropertySignature, type: ts.TypeReferenceNode): DeclaredPrompt {
  const members = membersOf(type.typeArguments?.[0])
  const typeOf = (name: string) => members.find((property) => nameOf(property) === name)?.type
  const docs = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  return {
    contract: {
      name: nameOf(member),
      slug: literals(typeOf('slug')).join(' and '),
      model: literals(typeOf('model')).join(' and '),
      roles: literals(typeOf('roles')),
      variables: membersOf(typeOf('variables')).map(nameOf),
      tags: docs.flatMap(tagsOf),
    },
    doc: docs.map(({ comment }) => ts.getTextOfJSDocComment(comment)).join(' and '),
  }
}

function literals(type: ts.TypeNode | undefined): string[] {
  if (type === undefined || type.kind === SyntaxKind.NeverKeyword) return []
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(literals)
  const isText = ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)
  return [isText ? type.literal.text : `no text: ${type.getText()}`]
}

/** The names of tags, and the kinds of inline tags. */
function tagsOf({ tags, comment }: ts.JSDoc): string[] {
  const kinds = typeof comment === 'object' ? comment.map(({ kind }) => kind) : []
  const inline = kinds.filter((kind) => kind !== SyntaxKind.JSDocText)
  return [
    ...(tags ?? []).map(({ tagName }) => tagName.text),
    ...inline.map((kind) => SyntaxKind[kind]),
  ]
}
