import * as v from 'valibot'
import type { YamlData } from './yaml-data.ts'

/** A version's texts as the file gives them. */
export interface VersionEntry {
  readonly system: string
  readonly user: string
}

/** A prompt as the file gives it: `live` and `staging` name one of its `versions`. */
export interface PromptEntry {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly temperature: number
  readonly live: string
  readonly staging: string | null
  readonly versions: ReadonlyMap<string, VersionEntry>
}

/** The file's content, with what is optional filled in. */
interface WorkspaceEntries {
  readonly planStatus: string
  readonly prompts: readonly PromptEntry[]
}

/** The content of a workspace file, or everything that is wrong with it. */
export type CheckedWorkspace =
  | { readonly kind: 'valid'; readonly workspace: WorkspaceEntries }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

type Fields = Readonly<Record<string, unknown>>
type Path = readonly unknown[]

const text = v.string('must be text')

const version = mappingOf({ system: text, user: v.nullish(text, '') })

const prompt = mappingOf({
  slug: text,
  folder: text,
  model: text,
  temperature: v.pipe(v.number('must be a number'), v.finite('must be a finite number')),
  live: text,
  staging: v.nullish(text, null),
  versions: v.pipe(
    mapping(),
    v.transform((versions) => new Map(Object.entries(versions))),
    v.map(v.string(), version),
  ),
})

const workspace = mappingOf({
  // It is sent as a header as well, which takes no more than this.
  planStatus: v.optional(
    v.pipe(
      text,
      v.regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be one or more printable ASCII characters'),
    ),
    'active',
  ),
  prompts: v.array(prompt, 'must be a list'),
})

/** Holds a file's data against the format: shape first, then what its names refer to. */
export function checkWorkspace({ data, scalarAt }: YamlData & { kind: 'data' }): CheckedWorkspace {
  const result = v.safeParse(workspace, data)
  const shape = (result.issues ?? []).map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key)
    return describeProblem(path, issue.message + hintFor(issue, scalarAt(path)))
  })
  const problems = [...shape, ...referenceProblems(data)]
  if (!result.success || problems.length > 0) return { kind: 'invalid', problems }
  return { kind: 'valid', workspace: result.output }
}

function mapping(): v.GenericSchema<unknown, Fields> {
  return v.custom<Fields>(isMapping, 'must be a mapping of names to values')
}

/** A mapping of just these fields. (`v.strictObject` takes lists and stops at one unknown field.) */
function mappingOf<Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ')
  const unknown = v.never(`is no field here; there are ${known}`)
  return v.pipe(mapping(), v.objectWithRest(entries, unknown, 'is missing'))
}

function isMapping(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What YAML made of a value that was meant as text. */
function hintFor({ type, input }: v.BaseIssue<unknown>, scalar: string | undefined): string {
  if (type !== 'string') return ''
  if (input === null) return ', and is empty'
  if (typeof input !== 'number' && typeof input !== 'boolean') return ''
  const written = scalar ?? String(input)
  return `, and YAML reads ${written} as a ${typeof input}; write "${written}"`
}

/** As much of the file as the references need: whatever else is wrong, they are checked too. */
const maybeText = v.fallback(v.nullish(v.string()), undefined)

const references = v.fallback(
  v.object({
    prompts: v.fallback(
      v.array(
        v.fallback(
          v.object({
            slug: maybeText,
            live: maybeText,
            staging: maybeText,
            versions: v.optional(v.unknown()),
          }),
          {},
        ),
      ),
      [],
    ),
  }),
  { prompts: [] },
)

type Reference = v.InferOutput<typeof references>['prompts'][number]

function referenceProblems(data: unknown): string[] {
  const { prompts } = v.parse(references, data)
  const problems = prompts.flatMap((entry, index) => findMissingVersions(entry, index))
  return [...problems, ...findDuplicateSlugs(prompts)]
}

function findMissingVersions({ versions, ...names }: Reference, index: number): string[] {
  if (!isMapping(versions)) return []
  return (['live', 'staging'] as const).flatMap((field) => {
    const label = names[field]
    if (typeof label !== 'string' || Object.hasOwn(versions, label)) return []
    return describeProblem(
      ['prompts', index, 'versions'],
      `has no version ${label}, which ${field} names`,
    )
  })
}

function findDuplicateSlugs(prompts: readonly Reference[]): string[] {
  const first = new Map<string, number>()
  return prompts.flatMap(({ slug }, index) => {
    if (typeof slug !== 'string') return []
    const before = first.get(slug)
    if (before === undefined) first.set(slug, index)
    if (before === undefined) return []
    return describeProblem(
      ['prompts', index, 'slug'],
      `${slug} is already the slug of prompts[${before}]`,
    )
  })
}

function describeProblem(path: Path, message: string): string {
  return `${path.length === 0 ? 'the file' : printPath(path)}: ${message}`
}

/** `prompts[3].versions.v22`, and `["v 22"]` for a name that needs it. */
function printPath(path: Path): string {
  const steps = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return /^[\w-]+$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(key)}]`
  })
  return steps.join('').replace(/^\./, '')
}
