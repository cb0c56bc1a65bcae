import { join } from 'node:path'
import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import type { Place } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import type { App, AppPart } from './app.ts'
import { ts } from './compiler.ts'
import { type ModuleGraph, withImporters } from './module-graph.ts'
import { pathFrom, placeAt, sortPlaces } from './place.ts'
import type { PromptCode } from './prompt-code.ts'
import { createImportFilter } from './prompt-modules.ts'

/**
 * How code uses a prompt: calls `render`, reads another field, passes it to a function, refers to its type,
 * or anything else, such as assigning or exporting it.
 */
type UsageKind = 'render' | 'field' | 'argument' | 'type' | 'value'

/** A use of a prompt. */
export interface UsageSite extends Place {
  readonly slug: string
  readonly kind: UsageKind
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

/** The uses of all prompts, and the unused ones. */
export interface UsageReport {
  /** One per prompt of the lock, in its order. */
  readonly prompts: readonly PromptUsage[]
  /** Slugs without a use. Not certain if there are `escapes`. */
  readonly unused: readonly string[]
  /** Where all prompts are passed on together, so that each may be used. */
  readonly escapes: readonly Place[]
  /** Uses in client code, as far as known. */
  readonly client: readonly UsageSite[]
  /** The metered reads of a full pull, one per prompt. */
  readonly reads: { readonly unused: number; readonly total: number }
}

/**
 * Finds the uses of prompts in an app by their types, through aliases, re-exports and functions.
 *
 * @throws PromptsError TYPES_NOT_FOUND
 */
export function analyseUsage({ root, parts }: App, lock: Lock): UsageReport {
  const plan = planModule(lock)
  const usages = parts.flatMap((part) => partUsage(part, plan, root))
  const sites = sortPlaces(
    usages.flatMap((usage) => usage.sites),
    ({ slug }) => slug,
  )
  const prompts = lock.prompts.map(({ slug }) => {
    const users = usages.filter((usage) => usage.sites.some((site) => site.slug === slug))
    const files = new Set(users.flatMap(({ importers }) => importers))
    return {
      slug,
      sites: sites.filter((site) => site.slug === slug),
      files: [...files].toSorted(compareCodePoints),
    }
  })
  const unused = prompts.filter((prompt) => prompt.sites.length === 0).map(({ slug }) => slug)
  return {
    prompts,
    unused,
    escapes: sortPlaces(usages.flatMap(({ escapes }) => escapes)),
    client: sites.filter(({ client }) => client !== undefined),
    reads: { unused: unused.length, total: prompts.length },
  }
}

/** The uses of prompts in one file, as places. */
interface PlacedUsage {
  readonly sites: readonly UsageSite[]
  readonly escapes: readonly Place[]
  /** The file and those that import it, directly or through others. */
  readonly importers: readonly string[]
}

function partUsage(part: AppPart, plan: ModulePlan, root: string): PlacedUsage[] {
  const code = part.compile(plan)
  const client = clientFiles(code.graph, part.root)
  const pathsOf = (files: Iterable<ts.SourceFile>): string[] =>
    [...files].map(({ fileName }) => pathFrom(root, fileName))
  return usesIn(code).map(({ file, uses, escapes }) => {
    const chain = client.get(file)
    const placeOfNode = (node: ts.Node): Place => placeAt(file, node.getStart(file), root)
    return {
      sites: uses.flatMap(({ node, slugs, kind }) =>
        slugs.map((slug) => ({
          slug,
          kind,
          ...placeOfNode(node),
          client: chain && pathsOf(chain),
        })),
      ),
      escapes: escapes.map(placeOfNode),
      importers: pathsOf(withImporters(code.graph, file)),
    }
  })
}

/** The uses of prompts in the files of a part that import them. */
export function usesIn(code: PromptCode): FileUsage[] {
  return code.files.filter(createImportFilter(code)).map((file) => collectUsage(file, code))
}

/** A node that refers to one prompt, or to several if its type is a union. */
interface PromptUse {
  readonly node: ts.Node
  readonly slugs: readonly string[]
  readonly kind: UsageKind
}

/** The uses of prompts in one file. */
interface FileUsage {
  readonly file: ts.SourceFile
  readonly uses: readonly PromptUse[]
  /** Where all prompts are passed on together, so that types no longer show which are used. */
  readonly escapes: readonly ts.Node[]
}

/** Finds the nodes of a file that have the type of a prompt. */
function collectUsage(file: ts.SourceFile, code: PromptCode): FileUsage {
  const uses: PromptUse[] = []
  const escapes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    const slugs = isUse(node) ? code.types.slugsOf(code.checker.getTypeAtLocation(node)) : []
    if (isDynamic(node, code)) escapes.push(node)
    else if (slugs.length > 0) uses.push({ node: placeOf(node), slugs, kind: kindOf(node) })
    else if (isEscape(node, code)) escapes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { file, uses, escapes }
}

/** Whether a node is a use: not an import and not the name of a declaration. */
function isUse(node: ts.Node): boolean {
  if (ts.isTypeQueryNode(node) || ts.isIndexedAccessTypeNode(node)) return true
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return true
  if (!ts.isIdentifier(node)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isBindingElement(parent))
    return parent.name === node && ts.isObjectBindingPattern(parent.parent)
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false
  if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false
  return ts.isShorthandPropertyAssignment(parent) || !('name' in parent && parent.name === node)
}

/** Returns the node to report: the name, not the object before it. */
function placeOf(node: ts.Node): ts.Node {
  if (ts.isPropertyAccessExpression(node)) return node.name
  return ts.isElementAccessExpression(node) ? node.argumentExpression : node
}

function kindOf(node: ts.Node): UsageKind {
  const { parent } = node
  if (ts.isTypeNode(node)) return 'type'
  if (ts.isCallExpression(parent)) return 'argument'
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return 'value'
  return parent.name.text === 'render' ? 'render' : 'field'
}

/** Whether a node is `prompts[key]` with a key that types do not determine. */
function isDynamic(node: ts.Node, { checker, types }: PromptCode): boolean {
  if (!ts.isElementAccessExpression(node)) return false
  if (!types.isNamespace(checker.getTypeAtLocation(node.expression))) return false
  const key = checker.getTypeAtLocation(node.argumentExpression)
  const parts = key.isUnion() ? key.types : [key]
  // `keyof Prompts` includes all names, so it determines as little as `string`.
  const isAnyName = types.names > 1 && parts.length >= types.names
  return isAnyName || !parts.every((part) => part.isStringLiteral() || part.isNumberLiteral())
}

/**
 * Whether the object with all prompts loses its type here: it is iterated, spread, or untyped, or its type
 * is mapped over.
 */
function isEscape(node: ts.Node, { checker, types }: PromptCode): boolean {
  const isAll = (other: ts.Node): boolean => types.isNamespace(checker.getTypeAtLocation(other))
  if (ts.isIndexedAccessTypeNode(node)) return isAll(node.objectType)
  if (ts.isBindingElement(node) && node.dotDotDotToken !== undefined) return isAll(node.parent)
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return false
  const { parent } = outermost(node)
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return false
  if (!isAll(node)) return false
  const isInitializer = ts.isVariableDeclaration(parent) || ts.isParameter(parent)
  if (isInitializer && parent.type === undefined) return false
  if (ts.isForInStatement(parent) || ts.isSpreadAssignment(parent)) return true
  const target = ts.isExpression(node) ? checker.getContextualType(node) : undefined
  return target !== undefined && !types.isNamespace(target)
}

/** The expression that a node may be the value of: `flag ? staging : prompts`, in parentheses or not. */
function outermost(node: ts.Node): ts.Node {
  const { parent } = node
  const isBranch = ts.isConditionalExpression(parent) && parent.condition !== node
  return isBranch || ts.isParenthesizedExpression(parent) ? outermost(parent) : node
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
