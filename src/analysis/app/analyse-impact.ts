import { slugsByName } from '../../codegen/plan-module.ts'
import { changeRows, type ComparedRow } from '../../core/change-row.ts'
import { compareLocks, promptVariables } from '../../core/compare.ts'
import type { ImpactFinding } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { groupBySlug } from '../../core/text/order.ts'
import { debug } from '../../debug/debug.ts'
import type { App } from './app.ts'
import { checkPart } from './check-part.ts'
import type { CodeEdits } from './code-edits.ts'
import { withCode } from './code-line.ts'
import { explainFailure, explainUnproven } from './explain-failure.ts'
import { usesIn } from './find-uses.ts'
import { sortPlaces } from './place.ts'
import { joinUses, partUses, type UnprovenUse } from './unproven-uses.ts'

/** The code that a change of prompts breaks, or of which that is not known. */
export interface ImpactReport {
  /** Sorted by file and position. */
  readonly findings: readonly ImpactFinding[]
  /** The number of files that depend on prompts, all of which were checked. */
  readonly files: number
  /** The slugs of the prompts that the code uses or may use. */
  readonly used: readonly string[]
}

interface Update {
  /** The lock that the app uses now; `undefined` to find the errors that go away if every prompt is `any`. */
  readonly before: Lock | undefined
  readonly after: Lock
  /** Edits of the code, together with the prompts. Findings are places in the old code. Default: none. */
  readonly edits?: CodeEdits
}

/**
 * Type-checks an app with new declarations in memory and returns the new errors. Several updates of one app
 * can be analysed; its files are read and parsed once.
 */
export function analyseImpact(
  { root, parts, unknown }: App,
  { before, after, edits = new Map() }: Update,
): ImpactReport {
  debug('analysis', () => `type check of ${root}`)
  const environments = parts.map(({ environment }) => environment ?? after.environment)
  const rows = changeRows(compareLocks(before ?? { parts: [] }, after))
  const [oldSlugs, newSlugs] = [slugsByName(before), slugsByName(after)]
  const context = {
    root,
    edits,
    changes: groupBySlug(rows),
    // Those that a prompt has in neither view any longer.
    removedNames: new Map([...oldSlugs].filter(([name]) => !newSlugs.has(name))),
    slugs: new Map([...oldSlugs, ...newSlugs]),
  }
  const results = parts.map((part) => {
    const check = checkPart(part, before, after, edits)
    const usages = usesIn(check.code)
    return {
      findings: check.failures.map((failure) => explainFailure(failure, { ...context, ...check })),
      files: check.files.map(({ fileName }) => fileName),
      slugs: usages.flatMap(({ uses }) => uses.flatMap(({ slugs }) => slugs)),
      usesAll: usages.some(({ escapes }) => escapes.length > 0),
      untyped: partUses({ ...check.code, ...context }, usages),
      readsStaging: check.code.ownFiles.some(({ text }) => STAGING.test(text)),
    }
  })
  const unproven = joinUses(
    unknown,
    results.map(({ untyped }) => untyped),
  )
  const usesAll =
    results.some((result) => result.usesAll) || unproven.some(({ slugs }) => slugs.length === 0)
  const slugs = [...results, ...unproven].flatMap((use) => use.slugs)
  // Code that does not import staging sees its changes only if that is its view.
  const readsStaging =
    environments.includes('test') || results.some((result) => result.readsStaging)
  const seen = rows.filter(({ environment }) => readsStaging || environment === 'live')
  const changes = { rows: seen, removedNames: context.removedNames }
  const findings = [
    ...results.flatMap((result) => result.findings),
    ...(before === undefined ? [] : unproven.flatMap((use) => unprovenFindings(use, changes))),
  ]
  return {
    findings: withCode(
      sortPlaces(findings, ({ slug, message }) => JSON.stringify([slug, message])),
      root,
    ),
    files: new Set(results.flatMap(({ files }) => files)).size,
    used: usesAll ? after.parts.map(({ slug }) => slug) : [...new Set(slugs)],
  }
}

/** An import of `virtual:prompts/staging`, or of that folder. */
const STAGING = /\/staging(?:\/[\w./]*)?["'`]/

interface Changes {
  readonly rows: readonly ComparedRow[]
  readonly removedNames: ReadonlyMap<string, string>
}

/** What an unproven use may need of the prompts whose contract changes, or that lose their name. */
function unprovenFindings(use: UnprovenUse, { rows, removedNames }: Changes): ImpactFinding[] {
  const mayUse = (slug: string): boolean => use.slugs.length === 0 || use.slugs.includes(slug)
  const contracts = rows.filter((row) => row.class === 'contract' && mayUse(row.slug))
  const changed = new Set(contracts.map(({ slug }) => slug))
  const renamed = new Set(removedNames.values())
  return [
    ...contracts
      .filter((row) => !hasVariables(use, row))
      .map((row) => explainUnproven(use, row.slug, row)),
    ...[...renamed]
      .filter((slug) => mayUse(slug) && !changed.has(slug))
      .map((slug) => explainUnproven(use, slug, undefined)),
  ]
}

/** Whether a literal has exactly the variables of the new version. */
function hasVariables({ variables }: UnprovenUse, { change: { after } }: ComparedRow): boolean {
  if (variables === undefined || !after) return false
  const needed = promptVariables(after)
  return needed.length === variables.length && needed.every((name) => variables.includes(name))
}
