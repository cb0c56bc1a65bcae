import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { writeDeclarations } from './declarations.ts'
import type { WriteResult } from '../../fs/files.ts'
import { findSourceLock, type LocatedLock } from './source-lock.ts'
import { relativePath } from '../../fs/paths.ts'
import { type FileReport, assertNotForeign, outDirFiles } from '../../fs/generated-file.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { changeRows } from '../../core/change-row.ts'
import type { ChangeEffect } from '../../core/classify-change.ts'
import { comparePrompts } from '../../core/compare.ts'
import { sanitize } from '../../core/text/sanitize.ts'

/** How to write declarations. */
export interface UpdateDeclarationsOptions {
  /** Whether to write the map for editors too. Default: false. */
  readonly map?: boolean | undefined
  /** Called with one line if the app that starts uses a lock with another contract. Default: not. */
  readonly warn?: (message: string) => void
}

/**
 * Updates the declarations with their map, and `outDir`, of several apps.
 *
 * @returns the absolute paths of what has changed: the declarations, the folder `outDir`
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateGenerated(
  apps: readonly ResolvedOptions[],
  lock: Lock,
): Promise<string[]> {
  const changed: string[] = []
  for (const app of apps) {
    const { dts, outDir } = app
    const declarations = await updateDeclarations(app, lock, { map: true })
    if (dts !== false && declarations === 'written') changed.push(dts)
    const files = await updateOutDir(app, lock)
    if (outDir !== undefined && files.some(({ state }) => state !== 'unchanged'))
      changed.push(outDir)
  }
  return changed
}

/**
 * Updates the declarations to their source lock.
 *
 * @returns `off` if the option `dts` is `false`
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
export async function updateDeclarations(
  options: ResolvedOptions,
  lock: Lock,
  { map = false, warn }: UpdateDeclarationsOptions,
): Promise<WriteResult | 'off'> {
  const { root, name, dts } = options
  if (dts === false) return 'off'
  const source = await findSourceLock(options, lock, dts)
  if (source === undefined) return 'unchanged'
  const lockPath = map ? source.path : undefined
  const { staging } = source
  const outcome = await writeDeclarations(source.lock, { root, name, dts, lockPath, staging })
  if (warn !== undefined) warnOfContract(options, { declared: source, lock }, warn)
  return outcome
}

/** More differences are only counted. */
const LISTED = 5

function warnOfContract(
  { root, name, dts, lock: path }: ResolvedOptions,
  { declared, lock }: { readonly declared: LocatedLock; readonly lock: Lock },
  warn: (message: string) => void,
): void {
  if (dts === false || declared.lock === lock) return
  const breaks = describeContractBreaks(declared.lock.prompts, lock.prompts)
  if (breaks.length === 0) return
  const shown = (file: string): string => relativePath(root, file)
  const more = breaks.length > LISTED ? `; and ${breaks.length - LISTED} more` : ''
  warn(
    `${shown(dts)} matches ${shown(declared.path)}, but ${shown(path)} is in use. It differs: ` +
      `${breaks.slice(0, LISTED).join('; ')}${more}. ` +
      `Run \`npx ${formatCommand(name, 'generate --environment test')}\` to use its types.`,
  )
}

/**
 * Updates the files in `outDir` to their source lock.
 *
 * @returns an empty list without the option
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, FILE_UNWRITABLE
 */
async function updateOutDir(
  options: ResolvedOptions,
  lock: Lock,
): Promise<FileReport<WriteResult | 'removed'>[]> {
  const { root, name, outDir: folder } = options
  if (folder === undefined) return []
  const source = await findSourceLock(options, lock, outDirFiles(folder).modules.entry)
  if (source === undefined) return []
  const { writeOutDir } = await import('./out-dir.ts')
  return writeOutDir(source.lock, { root, name, folder, testLock: source.staging?.lock })
}

/**
 * Fails early if the options name files that this package did not generate, or files that hide each other.
 *
 * @throws PromptsError FILE_FOREIGN, FILE_UNREADABLE, OPTIONS_INVALID
 */
export async function assertOwnFiles(options: ResolvedOptions): Promise<void> {
  const { root, name, dts, outDir } = options
  if (dts !== false && dts === `${outDir}.d.ts`) {
    const [file, folder] = [dts, `${outDir}`].map((path) => relativePath(root, path))
    const problem = `dts and outDir: TypeScript would read ${file} for an import of ${folder}; set \`dts: false\` or another path`
    const source = `${name}.config.ts`
    throw new PromptsError('OPTIONS_INVALID', { source, problems: [problem] })
  }
  await Promise.all(generatedPaths(options).map(assertNotForeign))
}

/** The paths of the code and declarations that are generated from the lock, absolute. */
export function generatedPaths({ dts, outDir }: ResolvedOptions): string[] {
  const files = dts === false ? [] : [dts, `${dts}.map`]
  if (outDir !== undefined) files.push(...Object.values(outDirFiles(outDir).modules))
  return files
}

/**
 * Returns one sanitized line for each prompt that is missing or has other variables, roles or another
 * model than the app was compiled for.
 */
function describeContractBreaks(
  declared: readonly PinnedPrompt[],
  used: readonly PinnedPrompt[],
): string[] {
  return changeRows(comparePrompts(declared, used)).flatMap(({ slug, effects }) => {
    const differences = effects.flatMap(describe)
    return differences.length === 0 ? [] : [sanitize(`${slug} ${differences.join(' and ')}`)]
  })
}

function describe(effect: ChangeEffect): string[] {
  if (effect.kind === 'prompt-removed') return ['is missing']
  if (effect.kind === 'variable-added') return [`also needs ${effect.name}`]
  if (effect.kind === 'variable-renamed') return [`needs ${effect.to} instead of ${effect.from}`]
  if (effect.kind === 'roles')
    return [`has ${textsOf(effect.after)} instead of ${textsOf(effect.before)}`]
  if (effect.kind !== 'setting' || effect.field !== 'model') return []
  return [`has the model ${effect.after} instead of ${effect.before}`]
}

function textsOf([first, second]: readonly string[]): string {
  if (first === undefined) return 'no text'
  return second === undefined ? `only ${first} text` : `${first} and ${second} text`
}
