import { join } from 'node:path'
import { toForwardSlashes } from '../../fs/paths.ts'
import { ts } from './compiler.ts'
import { type ModuleGraph } from './module-graph.ts'

/**
 * Returns the files that run in a browser, as far as it can be known without the app's bundler, each with the
 * chain of imports from an entry of client code.
 *
 * Known entries: scripts of `index.html`, files with `'use client'`, and `*.client.*`. A chain
 * ends at `'use server'` and `*.server.*`.
 */
export function clientFiles(
  graph: ModuleGraph,
  root: string,
): Map<ts.SourceFile, readonly ts.SourceFile[]> {
  const scripts = htmlScripts(root)
  const entries = graph.files.filter((file) => isClientEntry(file) || scripts.has(file.fileName))
  const chains = new Map(entries.map((file) => [file, [file]]))
  // The iteration includes entries that are added during it.
  for (const [file, chain] of chains) {
    for (const { to, typeOnly } of graph.imports.get(file) ?? []) {
      if (!typeOnly && !chains.has(to) && !isServerOnly(to)) chains.set(to, [...chain, to])
    }
  }
  return chains
}

function isClientEntry(file: ts.SourceFile): boolean {
  return hasDirective(file, 'use client') || /\.client\.[^./]+$/.test(file.fileName)
}

function isServerOnly(file: ts.SourceFile): boolean {
  return hasDirective(file, 'use server') || /\.server\.[^./]+$/.test(file.fileName)
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
