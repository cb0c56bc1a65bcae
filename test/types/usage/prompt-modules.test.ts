import { expect, test } from 'vitest'
import { openApp } from '../../../src/judge/app.ts'
import { relativePath } from '../../../src/fs/paths.ts'
import { findUsage } from '../../../src/judge/impact.ts'
import { APP_TSCONFIG, locatedApp, markedLines } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

const lock = liveLock({ slug: 'idle' }, { slug: 'plain', system: 'Hello' })

const WRAPPINGS = `import { type AnyPrompt, prompts, type Prompts } from 'virtual:prompts'
type Plain = typeof prompts.plain
export class Service {
  private readonly own = prompts.plain
  get prompt() { return this.own }
}
export type Of<Key extends keyof Prompts> = Prompts[Key]
export type Picked<Key extends string> = { [Each in Key]: Plain }
export type Checked<Given> = Given extends string ? Plain : never
export const later = async () => [prompts.plain] as const
export const byName = new Map([['plain', prompts.plain]])
export const dictionary: Readonly<Record<string, Plain>> = {}
export const visit = (callback: (prompt: Plain) => void) => callback(prompts.plain)
export const first = <Given extends Plain>(given: readonly Given[]) => given[0]!
export const nameOf = (prompt: AnyPrompt) => prompt.slug
export default prompts.plain
`

/** Exports one by one, because any of a module's exports is enough. */
const EXPORTED = {
  Service: 'new Service().prompt.slug // uses: plain',
  Of: `export const of = (given: Of<'plain'>) => given.slug // uses: plain`,
  Picked: `export const of = (given: Picked<'a'>) => given.a.slug // uses: plain`,
  Checked: 'export const of = (given: Checked<string>) => given.slug // uses: plain',
  later: 'const list = await later(); list[0].slug // uses: plain',
  byName: `const it = byName.get('plain')!; it.slug // uses: plain`,
  dictionary: 'dictionary.plain?.slug // uses: plain',
  visit: 'visit((prompt) => prompt.slug) // uses: plain',
  first: 'export const of = ([it]: Parameters<typeof first>[0]) => it!.slug // uses: plain',
  'default as it': 'it.slug // uses: plain',
}

test('files that get a prompt from another file are searched, in whatever it is wrapped', async () => {
  const users = Object.entries(EXPORTED).flatMap(([name, code], index) => [
    [`src/export${index}.ts`, `export { ${name} } from './wrappings.ts'\n`],
    [
      `src/user${index}.ts`,
      `import { ${name.replace('default as ', '')} } from './export${index}.ts'\n${code}\nexport {}\n`,
    ],
  ])
  const files = {
    'tsconfig.json': APP_TSCONFIG.replace('es5', 'es2022'),
    'src/wrappings.ts': WRAPPINGS,
    'src/namespace.ts': `export * as all from './wrappings.ts'\n`,
    'src/namespace-user.ts': `import { all } from './namespace.ts'\nall.default.slug // uses: plain\n`,
    // A type that expands without end must not hang the analysis.
    'src/box.ts': `import { prompts } from 'virtual:prompts'
export interface Box<Given> { readonly given: Given; readonly inner: Box<Box<Given>> }
prompts.plain.slug // uses: plain
`,
    'src/box-user.ts': `import type { Box } from './box.ts'
export const inner = (given: Box<string>) => given.inner
`,
    ...(Object.fromEntries(users) as Record<string, string>),
  }
  const found = await sitesIn(files)
  expect(found.filter((site) => !site.startsWith('src/wrappings'))).toEqual(
    markedLines(files, 'uses'),
  )
})

// Where a type is augmented, every file of an app is searched.
test('files that get a prompt by a type that another file augments are searched', async () => {
  const files = {
    'tsconfig.json': APP_TSCONFIG,
    'src/context.ts': 'export interface Context { readonly id: string }\n',
    'src/handler.ts': `import type { Context } from './context.ts'\nexport type Handler = (context: Context) => void\n`,
    'src/augment.ts': `import { prompts } from 'virtual:prompts'
declare module './context.ts' { interface Context { prompt: typeof prompts.plain } } // uses: plain
`,
    'src/handler-user.ts': `import type { Handler } from './handler.ts'
export const handle: Handler = (context) => context.prompt.slug // uses: plain
`,
  }
  expect(await sitesIn(files)).toEqual(markedLines(files, 'uses'))
})

async function sitesIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { prompts } = await findUsage({ ...(await locatedApp(files)), lock })
  return prompts
    .flatMap(({ sites }) => sites.map((at) => `${at.file}:${at.line} ${at.slug}`))
    .toSorted()
}

test('files whose imports lead to no prompt are not searched', async () => {
  const location = await locatedApp({
    'tsconfig.json': APP_TSCONFIG,
    'src/service.ts': `import { prompts } from 'virtual:prompts'
export interface Item { readonly id: string; readonly next?: Item }
export class Service<Given extends Item> {
  readonly items = new Map<string, Given>()
  async describe(): Promise<[string, Item]> { return [prompts.plain.render().text, { id: 'a' }] }
}
`,
    'src/view.ts': `import { Service, type Item } from './service.ts'
export const view = new Service<Item>().describe()
`,
    'src/page.ts': `export { view } from './view.ts'\n`,
  })
  const {
    root,
    parts: [part],
  } = await openApp(location)
  if (part === undefined) throw new Error('The app has no files')
  const { files, importsPrompts } = part.compile(lock)
  const pathsOf = (given: readonly { readonly fileName: string }[]) =>
    given.map(({ fileName }) => relativePath(root, fileName))
  expect(pathsOf(files).toSorted()).toEqual(['src/page.ts', 'src/service.ts', 'src/view.ts'])
  expect(pathsOf(files.filter(importsPrompts))).toEqual(['src/service.ts'])
})
