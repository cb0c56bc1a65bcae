import type { App } from '../../analysis/app/app.ts'
import type { EditedCode } from '../../analysis/app/check-part.ts'
import type { ts } from '../../analysis/app/compiler.ts'
import { findSlug, type SlugContext } from '../../analysis/app/explain-failure.ts'
import { type Place, placeAt } from '../../analysis/app/place.ts'
import { promptTypes } from '../../analysis/app/prompt-types.ts'
import type { BlamingFinding } from '../pull/skip-breaking.ts'
import { hiddenUses } from './hidden-uses.ts'
import type { NodeEdit, Obstacle } from './rewrite-context.ts'
import { type Comparison, rewritePart } from './rewrite-part.ts'
import { applyEdits, findOverlap, sortEdits, toOldPosition } from './text-edits.ts'

/** What to rewrite in an app. */
export interface RewriteRequest {
  /** The declarations that the code fits. */
  readonly before: string
  /** Those that it should fit, each with other changes. */
  readonly comparisons: readonly Comparison[]
  /** The slugs of prompts whose variables are renamed. */
  readonly slugs: ReadonlySet<string>
  readonly changes: SlugContext['changes']
  /** Why a file can't be edited; `undefined` if it can. */
  readonly reasonAgainst: (path: string) => string | undefined
}

/** A file and its edits, sorted. */
export interface EditedFile {
  readonly source: ts.SourceFile
  readonly edits: readonly NodeEdit[]
}

/** The edits that adapt an app to other prompts. */
export interface AppEdits {
  /** What keeps the changes from being taken together. */
  readonly findings: readonly BlamingFinding[]
  /** By the name that the compiler uses for a file. */
  readonly files: ReadonlyMap<string, EditedFile>
}

/** Finds the edits that adapt an app to other prompts, and the code that can't be edited. */
export function rewriteApp({ root, parts }: App, request: RewriteRequest): AppEdits {
  const { before, comparisons, slugs, changes, reasonAgainst } = request
  const files = new Map<string, EditedFile>()
  const findings: BlamingFinding[] = []
  for (const part of comparisons.length === 0 ? [] : parts) {
    const program = part.program(before)
    const types = promptTypes(program, part.declarationsPath)
    const rewritten = rewritePart(part, program, comparisons)
    const renamed = { checker: program.getTypeChecker(), types, slugs, root }
    const obstacles = [...rewritten.obstacles, ...hiddenUses(rewritten.files, renamed)]
    for (const { file: source, edits: own } of rewritten.files) {
      if (own.length === 0) continue
      const edits = sortEdits([...(files.get(source.fileName)?.edits ?? []), ...own])
      files.set(source.fileName, { source, edits })
      obstacles.push(...obstaclesTo(edits, reasonAgainst(source.fileName)))
    }
    for (const { node, reason, slug: known } of obstacles) {
      const slug = known ?? findSlug(node, '', { program, types, changes }) ?? null
      findings.push({ ...nodePlace(node, root), slug, reason: `not edited: ${reason}` })
    }
  }
  return { files, findings }
}

function obstaclesTo(edits: readonly NodeEdit[], reason: string | undefined): Obstacle[] {
  if (reason !== undefined) return edits.map(({ node }) => ({ node, reason }))
  const overlap = findOverlap(edits)
  return overlap ? [{ node: overlap.node, reason: 'two edits are in one place' }] : []
}

/** The place of a node. */
export function nodePlace(node: ts.Node, root: string): Place {
  const source = node.getSourceFile()
  return placeAt(source, node.getStart(source), root)
}

/** The text of a file with its edits. */
export function editedText({ source, edits }: EditedFile): string {
  return applyEdits(source.text, edits)
}

/** The app with its edits, to check it. */
export function editedCode({ files }: AppEdits, root: string): EditedCode {
  const toOld = (path: string, position: number): number =>
    toOldPosition(files.get(path)?.edits ?? [], position)
  return {
    texts: new Map([...files].map(([path, file]) => [path, editedText(file)])),
    toOldPosition: toOld,
    toOldPlace(path, position) {
      const file = files.get(path)
      return file && placeAt(file.source, toOld(path, position), root)
    },
  }
}
