import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Lock, PinnedPrompt } from '../../../src/core/prompt.ts'
import { printDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule, planTexts } from '../../../src/codegen/plan-module.ts'
import { HOSTILE, hostilePrompt } from '../../helpers/hostile.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'
import { sweep } from '../../helpers/sweep.ts'
import { Project, SyntaxKind, ts } from 'ts-morph'

function print(lock: Lock): string {
  return printDeclarations(planModule(lock))
}

/** What an editor shows for a prompt. */
function docOf(fields: Partial<PinnedPrompt>): string | undefined {
  return parseDeclarations(print(liveLock(fields))).prompts[0]?.doc
}

function withoutDoc(prompt: DeclaredPrompt): Partial<DeclaredPrompt> {
  const { name, slug, model, roles, variables, tags } = prompt
  return { name, slug, model, roles, variables, tags }
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
    expect(prompts.map(withoutDoc)).toEqual([
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
    const stagingOf = (lock: Lock): string => print(lock).split('virtual:prompts/staging"')[1] ?? ''
    const plain = stagingOf(lockOf({ live }))
    expect(plain).not.toContain('Omit')
    const drafts = [{ slug: 'b-c', system: '{{ tone }}' }, { slug: 'new' }]
    const staged = stagingOf(lockOf({ live, staging: drafts }))
    expect(staged.replaceAll(/\s+/g, ' ')).toContain('Omit< Live, | "b-c" | "bC" >')
    expect(staged).toContain('tone:')
    expect(staged).not.toContain('readonly a:')
    for (const text of [plain, staged])
      for (const [, name = ''] of text.matchAll(/import type .* as (\w+)/g))
        expect(text.split(name).length).toBeGreaterThan(2)
  })

  test('are complete without prompts', () => {
    const { problems, modules, prompts } = parseDeclarations(print(liveLock()))
    expect([problems, modules.length, prompts]).toEqual([[], 3, []])
  })

  test('a text can end with a backslash', () => {
    const lock = liveLock({ slug: 'a\\', model: '/*' }, { slug: 'b"\\\\', model: "'" })
    const { problems, prompts } = parseDeclarations(print(lock))
    expect(problems).toEqual([])
    expect(prompts.map(({ slug, model }) => [slug, model])).toEqual([
      ['a\\', '/*'],
      ['b"\\\\', "'"],
    ])
  })

  test('for any prompts, have exactly the planned names with their contracts', () => {
    const many = fc.uniqueArray(hostilePrompt, {
      selector: ({ slug }) => slug,
      minLength: 30,
      maxLength: 30,
    })
    fc.assert(
      fc.property(many, (prompts) => {
        const lock = liveLock(...prompts)
        const declared = parseDeclarations(print(lock))
        const planned = planModule(lock).prompts
        const wanted = planned.map(({ names, prompt }) => {
          const tokens = planTexts(prompt)
            .texts.flat()
            .filter((part) => typeof part !== 'string')
          const variables = [...new Set(tokens.map(({ name }) => name))]
          const { slug, model } = prompt
          const roles = (['system', 'user'] as const).filter((role) => prompt[role] !== '')
          return { name: names.at(-1), slug, model, roles, variables, tags: [] }
        })
        expect(declared.problems).toEqual([])
        expect(declared.prompts.map(withoutDoc)).toEqual(wanted)
        const twoNames = planned.filter(({ names }) => names.length > 1)
        expect(declared.aliases).toEqual(Object.fromEntries(twoNames.map(({ names }) => names)))
      }),
      sweep(4),
    )
  })
})

describe('a doc comment', () => {
  test('shows the folder of the prompt and the beginning of its text', () => {
    expect(docOf({ system: 'Be kind.\n\nTwo\nThree\nFour', user: 'U' })).toBe(
      'support · gpt-5 · v22\n\n```text\nBe kind.\nTwo\n```',
    )
  })

  test('shows the user text if there is no system text', () => {
    expect(docOf({ system: '', user: '{{ ticket }}' })).toContain('```text\n{{ ticket }}\n```')
  })

  test('leaves out what is empty', () => {
    expect(docOf({ folder: '', system: '', user: '' })).toBe('gpt-5 · v22\n\n```text\n```')
  })

  test('shows the beginning of long lines', () => {
    expect(docOf({ system: 'x'.repeat(5000) })).toContain(`\n${'x'.repeat(96)}\n`)
  })

  test.each([
    ['at its end', `${'x'.repeat(95)}😀 and more`, `${'x'.repeat(95)}\n`],
    ['where no more of the text is looked at', `${'\n'.repeat(999)}😀`, '```text\n```'],
  ])('shows no half of a character that a line has %s', (_, system, shown) => {
    const doc = docOf({ system })
    expect(doc).not.toMatch(/\p{Surrogate}/u)
    expect(doc).toContain(shown)
  })

  test.each(['![a](https://a.example/b.png)', '[a](b)', '<img src=x>'])(
    'shows %s as text where it is in no block of code',
    (text) => {
      const [place] = docOf({ folder: text, model: text, version: text })?.split('\n') ?? []
      expect(place).not.toMatch(/[<[]/)
    },
  )

  test.each([
    '*/',
    '*\u200b/',
    '**//',
    '@deprecated',
    '\n@deprecated',
    '{@link x}',
    '```',
    '`',
    '\n```\n@see x',
    '\u202e',
    '\u001b[31m',
  ])('makes %j neutral, wherever it stands', (text) => {
    const fields = { folder: text, model: text, version: text, system: text, user: text }
    const { problems, prompts } = parseDeclarations(
      print(liveLock({ slug: 'a', ...fields }, { slug: 'b' })),
    )
    expect(problems).toEqual([])
    expect(prompts.map(({ name, tags }) => [name, tags])).toEqual([
      ['a', []],
      ['b', []],
    ])
    expect(prompts[0]?.doc.match(/```/g)).toHaveLength(2)
  })

  test('no hostile text ends it early', () => {
    const prompts = HOSTILE.map((text, index) => ({
      slug: `p${100 + index}`,
      folder: text,
      system: text,
    }))
    const declared = parseDeclarations(print(liveLock(...prompts)))
    expect(declared.problems).toEqual([])
    expect(declared.prompts.map(({ name, tags }) => [name, tags])).toEqual(
      prompts.map(({ slug }) => [slug, []]),
    )
  })
})

/** One member of the type of all prompts, as TypeScript reads it. */
interface DeclaredPrompt {
  readonly name: string
  readonly slug: string
  readonly model: string
  readonly roles: readonly string[]
  readonly variables: readonly string[]
  /** What an editor shows. */
  readonly doc: string
  /** Names of the doc comment's tags and inline tags; none is wanted. */
  readonly tags: readonly string[]
}

/** Declarations as TypeScript reads them. */
interface Declarations {
  /** Messages of syntax errors. */
  readonly problems: readonly string[]
  /** Names of the ambient modules. */
  readonly modules: readonly string[]
  readonly prompts: readonly DeclaredPrompt[]
  /** Names that refer to another. */
  readonly aliases: Readonly<Record<string, string>>
}

/** Reads the text of `prompts.d.ts` with TypeScript. */
function parseDeclarations(text: string): Declarations {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const file = project.createSourceFile('prompts.d.ts', text)
  const diagnostics = project.getProgram().getSyntacticDiagnostics(file)
  const prompts = file
    .getDescendantsOfKind(SyntaxKind.TypeAliasDeclaration)
    .map(({ compilerNode }) => compilerNode)
    .find(({ name }) => name.text === 'Prompts')
  const members = membersOf(prompts?.type)
  return {
    problems: diagnostics.map((diagnostic) => String(diagnostic.getMessageText())),
    modules: file.getModules().map((module) => JSON.parse(module.getName())),
    prompts: members.flatMap((member) =>
      member.type !== undefined && ts.isTypeReferenceNode(member.type)
        ? [readMember(member, member.type)]
        : [],
    ),
    aliases: Object.fromEntries(
      members.flatMap((member) =>
        member.type !== undefined && ts.isIndexedAccessTypeNode(member.type)
          ? [[nameOf(member), ...literals(member.type.indexType)]]
          : [],
      ),
    ),
  }
}

function membersOf(type: ts.TypeNode | undefined): ts.PropertySignature[] {
  return type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : `odd: ${name.getText()}`
}

function readMember(member: ts.PropertySignature, type: ts.TypeReferenceNode): DeclaredPrompt {
  const contract = membersOf(type.typeArguments?.[0])
  const typeOf = (name: string): ts.TypeNode | undefined =>
    contract.find((property) => nameOf(property) === name)?.type
  const docs = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  return {
    name: nameOf(member),
    slug: literals(typeOf('slug')).join(' and '),
    model: literals(typeOf('model')).join(' and '),
    roles: literals(typeOf('roles')),
    variables: membersOf(typeOf('variables')).map(nameOf),
    doc: docs.map(({ comment }) => ts.getTextOfJSDocComment(comment)).join(' and '),
    tags: docs.flatMap(tagsOf),
  }
}

function literals(type: ts.TypeNode | undefined): string[] {
  if (type === undefined || type.kind === SyntaxKind.NeverKeyword) return []
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(literals)
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)
    ? [type.literal.text]
    : [`no text: ${type.getText()}`]
}

function tagsOf({ tags, comment }: ts.JSDoc): string[] {
  const parts = typeof comment === 'object' ? comment.map(({ kind }) => kind) : []
  const inline = parts.filter((kind) => kind !== SyntaxKind.JSDocText)
  return [
    ...(tags ?? []).map(({ tagName }) => tagName.text),
    ...inline.map((kind) => SyntaxKind[kind]),
  ]
}
