import { join } from 'node:path'
import { slugsByName } from '../../codegen/plan-module.ts'
import type { Certainty, Place } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { App, AppPart } from './app.ts'
import { ts } from './compiler.ts'
import { joinUses, partUses, type PartUses } from './find-uses.ts'
import { type ModuleGraph, withImporters } from './module-graph.ts'
import { pathFrom, placeAt, sortPlaces, withCode } from './place.ts'

/** A use of a prompt. */
export interface UsageSite extends Place {
  readonly slug: string
  readonly kind: Certainty
  /**
   * The files from an entry of client code to this one, if known. Without them, the code may still run
   * in a client.
   */
  readonly client: readonly string[] | undefined
}

/** One pinned prompt and its uses. */
interface PromptUsage {
  readonly slug: string
  /** Sorted by file and position. */
  readonly sites: readonly UsageSite[]
  /** The files that use it, and those that import them, directly or through others; sorted. */
  readonly files: readonly string[]
}

/** The uses of all prompts. */
export interface UsageReport {
  /** One per prompt of the lock, in its order. One without sites is unused, unless there are `escapes`. */
  readonly prompts: readonly PromptUsage[]
  /** Where each prompt may be used: all are passed on together, or types do not show which is used. */
  readonly escapes: readonly Place[]
}

/** Finds the uses of prompts in an app by their types, through aliases, re-exports and functions. */
export function analyseUsage({ root, parts, unknown }: App, lock: Lock): UsageReport {
  const results = parts.map((part) => partUsage(part, lock, root))
  const unproven = joinUses(
    unknown,
    results.map((result) => result.untyped),
  )
  const uses = [
    ...results.flatMap(({ typed }) => typed),
    ...unproven.map(({ slugs, file, line, column }): PlacedUse => {
      const at = { file, line, column }
      return { slugs, kind: 'unproven', at, client: undefined, importers: [file] }
    }),
  ]
  const named = uses.flatMap(({ slugs, kind, at, client }) =>
    slugs.map((slug) => ({ slug, kind, ...at, client })),
  )
  const sites = withCode(
    sortPlaces(named, ({ slug }) => slug),
    root,
  )
  const escapes = uses.filter(({ slugs }) => slugs.length === 0).map(({ at }) => at)
  const prompts = [...new Set(lock.parts.map(({ slug }) => slug))].map((slug) => {
    const users = uses.filter(({ slugs }) => slugs.includes(slug))
    const files = new Set(users.flatMap(({ importers }) => importers))
    return {
      slug,
      sites: sites.filter((site) => site.slug === slug),
      files: [...files].toSorted(compareCodePoints),
    }
  })
  return { prompts, escapes: withCode(sortPlaces(escapes), root) }
}

/** A use of some prompts, or of any if it names none. */
interface PlacedUse extends Pick<UsageSite, 'kind' | 'client'> {
  readonly slugs: readonly string[]
  readonly at: Place
  /** The file and those that import it, directly or through others. */
  readonly importers: readonly string[]
}

function partUsage(
  part: AppPart,
  lock: Lock,
  root: string,
): { readonly typed: PlacedUse[]; readonly untyped: PartUses } {
  const code = part.compile(lock)
  const untyped = partUses({ ...code, root, edits: new Map(), slugs: slugsByName(lock) })
  const chains = clientFiles(code.graph, part.root)
  const pathsOf = (files: Iterable<ts.SourceFile>): string[] =>
    [...files].map(({ fileName }) => pathFrom(root, fileName))
  const typed = untyped.usages.flatMap(({ file, uses }) => {
    const chain = chains.get(file)
    const client = chain && pathsOf(chain)
    const importers = pathsOf(withImporters(code.graph, file))
    return uses.map(({ node, slugs, kind }) => {
      return { slugs, kind, at: placeAt(file, node.getStart(file), root), client, importers }
    })
  })
  return { typed, untyped }
}

/**
 * Returns the files that run in a browser, as far as it can be known without the app's bundler, each with the
 * chain of imports from an entry of client code.
 *
 * Known entries: scripts of `index.html`, files with `'use client'`, and `*.client.*`. A chain
 * ends at `'use server'` and `*.server.*`.
 */
function clientFiles(
  graph: ModuleGraph,
  root: string,
): Map<ts.SourceFile, readonly ts.SourceFile[]> {
  const scripts = htmlScripts(root)
  const entries = graph.files.filter(
    (file) => isMarked(file, 'client') || scripts.has(file.fileName),
  )
  const chains = new Map(entries.map((file) => [file, [file]]))
  // The iteration includes entries that are added during it.
  for (const [file, chain] of chains) {
    for (const { to, typeOnly } of graph.imports.get(file) ?? []) {
      if (!typeOnly && !chains.has(to) && !isMarked(to, 'server')) chains.set(to, [...chain, to])
    }
  }
  return chains
}

/** Whether the name or a directive of a file says where it runs. */
function isMarked(file: ts.SourceFile, side: 'client' | 'server'): boolean {
  const [, mark] = /\.(client|server)\.[^./]+$/.exec(file.fileName) ?? []
  return mark === side || hasDirective(file, `use ${side}`)
}

function hasDirective({ statements }: ts.SourceFile, directive: string): boolean {
  for (const statement of statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression)) break
    if (statement.expression.text === directive) return true
  }
  return false
}

const SCRIPT = /<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi

function htmlScripts(root: string): Set<string> {
  const html = ts.sys.readFile(join(root, 'index.html')) ?? ''
  const paths = [...html.matchAll(SCRIPT)].map(([, path = '']) => join(root, path))
  return new Set(paths.map((path) => toForwardSlashes(path)))
}
