import * as v from 'valibot'
import type { YamlData } from './yaml-data.ts'

/** The texts of a version in the file. */
export interface VersionEntry {
  readonly system: string
  readonly user: string
}

/** A prompt in the file; `live` and `staging` are labels of its `versions`. */
export interface PromptEntry {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly temperature: number
  readonly live: string
  readonly staging: string | null
  readonly versions: ReadonlyMap<string, VersionEntry>
}

/** The content of the file with defaults. */
interface WorkspaceEntries {
  readonly planStatus: string
  readonly prompts: readonly PromptEntry[]
}

/** The content of a workspace file, or all its problems. */
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
  // It is also sent as a header, which allows only these characters.
  planStatus: v.optional(
    v.pipe(
      text,
      v.regex(/^[!-~](?:[ -~]*[!-~])?$/, 'must be one or more printable ASCII characters'),
    ),
    'active',
  ),
  prompts: v.array(prompt, 'must be a list'),
})

/** Validates the data of a file: types first, then references. */
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

/** Creates a schema for a mapping with exactly these fields. (`v.strictObject` accepts lists and stops at
 * the first unknown field.) */
function mappingOf<Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ')
  const unknown = v.never(`is an unknown field; known fields are ${known}`)
  return v.pipe(mapping(), v.objectWithRest(entries, unknown, 'is missing'))
}

function isMapping(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Explains a value that YAML does not read as text. */
function hintFor({ type, input }: v.BaseIssue<unknown>, scalar: string | undefined): string {
  if (type !== 'string') return ''
  if (input === null) return ', and is empty'
  if (typeof input !== 'number' && typeof input !== 'boolean') return ''
  const written = scalar ?? String(input)
  return `, and YAML reads ${written} as a ${typeof input}; write "${written}"`
}

/** The fields that references need, so that references are checked even if other fields are invalid. */
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
