import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import { readNamedUses } from '../../analysis/named-uses.ts'
import { changedContracts, slugsByName } from '../../codegen/plan-module.ts'
import { GENERATED_BY, isGenerated } from '../../core/generated.ts'
import type { Lock } from '../../core/prompt.ts'
import { DEFAULT_WORKSPACE, virtualModuleId } from '../../core/workspace-name.ts'
import { debug } from '../../debug/debug.ts'
import { readText } from '../../fs/files.ts'
import { findRepository, findText } from '../../fs/git.ts'
import { relativeInside } from '../../fs/paths.ts'

/**
 * Proves without a compiler that an update breaks nothing: no code names a prompt whose contract
 * changes. Code is what git does not ignore in the repository, since apps share files.
 *
 * @returns `undefined` if that takes a compiler
 */
export async function findUnnamedChanges(
  request: AppLocation & { readonly before: Lock; readonly after: Lock },
): Promise<ImpactReport | undefined> {
  const { before, after, root, name = DEFAULT_WORKSPACE, outDir, others = [] } = request
  const apps = [root, ...others.map((other) => other.root)]
  const isImported = [outDir, ...others.map((other) => other.outDir)].some(Boolean)
  if (before.environment !== after.environment || isImported) return undefined
  const files = await filesWithUses(root, virtualModuleId(name))
  const isSearched = (app: string): boolean =>
    files?.some(({ path }) => relativeInside(app, path) !== undefined) === true
  if (files === undefined || !apps.every(isSearched)) return undefined
  const names = new Set(files.flatMap((file) => file.names))
  const hasTypes = files.some((file) => file.hasTypes)
  const isAffected = changedContracts(before, after).some(
    (change) => names.has(change.name) || (hasTypes && change.isGeneral),
  )
  debug('analysis', () => `${names.size} prompts are named, ${isAffected ? 'some' : 'none'} change`)
  if (isAffected) return undefined
  const slugs = slugsByName(after)
  const used = [...new Set([...names].flatMap((named) => slugs.get(named) ?? []))]
  return { findings: [], files: files.length, used }
}

/** The files of a repository that use the module; `undefined` if the text of one does not show how. */
async function filesWithUses(root: string, moduleId: string) {
  const repository = await findRepository(root)
  if (repository === undefined) return undefined
  const places = (await findText(repository, `${moduleId}|${GENERATED_BY}`)) ?? []
  const files = await Promise.all(
    [...new Set(places.map(({ path }) => path))].map(async (path) => {
      const text = await readText(path).catch(() => undefined)
      if (text === undefined) return undefined
      // The declarations are no use, and a generated folder is another module.
      const areDeclarations = path.endsWith('.map') || text.includes('declare module')
      if (isGenerated(text)) return areDeclarations ? [] : undefined
      if (!text.includes(moduleId)) return []
      const uses = readNamedUses({ path, text }, moduleId)
      return uses && [{ path, ...uses }]
    }),
  )
  const known = files.filter((file) => file !== undefined)
  return known.length === files.length ? known.flat() : undefined
}
