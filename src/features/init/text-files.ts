import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { joinWords } from '../../core/text/pluralize.ts'
import { findIgnored, findRepository } from '../../fs/git.ts'
import { ancestorFolders, relativePath } from '../../fs/paths.ts'
import { planEdit, type PlannedPart, type ProjectFiles } from './project-files.ts'

type Root = Pick<ProjectFiles, 'root'>

function appendLines(text: string, lines: readonly string[]): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return text + gap + lines.map((line) => `${line}\n`).join('')
}

/** A variable of `.env.example`, and its comment. */
export type ExampleVariable = readonly [variable: string, comment: string]

/** Plans the variables in `.env.example`, without a key. */
export async function planExample(
  { root }: Root,
  variables: readonly ExampleVariable[] = EXAMPLE,
): Promise<PlannedPart> {
  const name = '.env.example'
  const names = variables.map(([variable]) => variable)
  const what = `${joinWords(names)}, empty`
  const edit = (text: string): string => addVariables(text, variables)
  const part = await planEdit({ root }, { name, what, edit })
  const isIgnored = (await findIgnored(root, [name]))?.has(name) === true
  if (part.change === undefined || !isIgnored) return part
  const advice = `Git ignores ${name}. To commit it, add this line to .gitignore:`
  return { ...part, manual: { what: advice, lines: [`!${name}`] } }
}

const EXAMPLE: readonly ExampleVariable[] = [
  ['PROMPTS_BASE_URL', 'URL of the prompt service'],
  [
    'PROMPTS_API_KEY',
    'Key of the prompt service: svc_live_… or svc_test_… Builds with a lock do not need it.',
  ],
]

function addVariables(text: string, variables: readonly ExampleVariable[]): string {
  const isMissing = ([name]: ExampleVariable): boolean =>
    !new RegExp(`^\\s*#?\\s*${name}\\s*=`, 'm').test(text)
  const missing = variables.filter(isMissing)
  const lines = missing.map(([name, comment]) => `# ${comment}\n${name}=\n`)
  if (text === '' || missing.length === 0) return text + lines.join('')
  return text + (text.endsWith('\n') ? '\n' : '\n\n') + lines.join('')
}

/**
 * Plans that git ignores `.env.local` and the declaration map, in the nearest `.gitignore` of the
 * repository. If there is none, it is created: somebody will write a key to `.env.local`.
 */
export async function planIgnore({ root }: Root): Promise<PlannedPart> {
  const last = findRepository(root) ?? root
  const paths = [...ancestorFolders(root)].map((folder) => join(folder, '.gitignore'))
  const path = paths.find((file) => existsSync(file) || dirname(file) === last) ?? ''
  const ignored = await findIgnored(root, IGNORED)
  const missing = IGNORED.filter((file) => ignored?.has(file) !== true)
  return planEdit(
    { root },
    {
      name: relativePath(root, path),
      what: missing.join(' and '),
      edit: (text) => {
        const lines = new Set(text.split(/\r?\n/))
        return appendLines(
          text,
          missing.filter((file) => !lines.has(file)),
        )
      },
    },
  )
}

/** The map contains line numbers of the lock, so two branches would always conflict in it. */
const IGNORED = ['.env.local', 'prompts.d.ts.map']

/** Variables of `.env.local`; those that are `undefined` are left alone. */
export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Plans the variables of the prompt service in `.env.local`. What is there under their names is replaced,
 * everything else stays. A key is in the planned text: hide it in everything that is shown.
 */
export function planEnv(project: Root, variables: Variables): Promise<PlannedPart> {
  return planEdit(project, {
    name: '.env.local',
    what: 'URL and key of the prompt service',
    edit: (text) => Object.entries(variables).reduce(setVariable, text),
  })
}

function setVariable(text: string, [name, value]: [string, string | undefined]): string {
  if (value === undefined) return text
  // Without quotes, # begins a comment.
  const line = `${name}=${value.includes('#') ? `"${value}"` : value}`
  const present = new RegExp(String.raw`^[ \t]*(?:export[ \t]+)?${name}[ \t]*=.*$`, 'gm')
  return present.test(text) ? text.replace(present, () => line) : appendLines(text, [line])
}
