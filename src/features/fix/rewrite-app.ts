import { changesBySlug } from '../../analysis/app/analyse-impact.ts'
import type { App } from '../../analysis/app/app.ts'
import type { EditedCode } from '../../analysis/app/check-part.ts'
import { type Place, placeAt } from '../../analysis/app/place.ts'
import type { ts } from '../../analysis/app/compiler.ts'
import { findSlug } from '../../analysis/app/explain-failure.ts'
import { promptTypes } from '../../analysis/app/prompt-types.ts'
import { planModule } from '../../codegen/plan-module.ts'
import { printDeclarations } from '../../codegen/print-declarations.ts'
import type { Lock } from '../../core/prompt.ts'
import { sha256 } from '../../fs/digest.ts'
import type { EditStep } from './edited-code.ts'
import type { NodeEdit } from './rewrite-context.ts'
import { rewriteFiles, type RewriteRequest } from './rewrite-files.ts'
import { findOverlap, sortEdits } from './text-edits.ts'

/** Code that keeps a change from being taken. */
export interface FixFinding extends Place {
  /** The prompt; `null` if it is unknown. */
  readonly slug: string | null
  /** One line; may hold remote text. */
  readonly reason: string
}

/** What to rewrite in an app. */
export interface StepRequest extends Pick<RewriteRequest, 'names' | 'slugs'> {
  /** Name of the workspace. */
  readonly name: string | undefined
  /** The prompts that the code fits. */
  readonly from: Lock
  /** The prompts that the code should fit. */
  readonly to: Lock
  /** The edits before this step. */
  readonly edited: EditedCode
  /** Why a file can't be edited; `undefined` if it can. */
  readonly reasonAgainst: (path: string) => string | undefined
}

/** The edits of all files of an app. */
export interface AppStep extends EditStep {
  readonly findings: readonly FixFinding[]
  /** The places of the edits in the code on disk, by file, in order. */
  readonly places: ReadonlyMap<string, readonly Place[]>
}

/** Finds the edits that adapt an app to other prompts, and the code that can't be edited. */
export function rewriteApp(app: App, request: StepRequest): AppStep {
  const { from, to, name, edited } = request
  const style = { digest: sha256, name }
  const [before, after] = [from, to].map((lock) => printDeclarations(planModule(lock), style))
  const changes = changesBySlug(from, to)
  const files = new Map<string, NodeEdit[]>()
  const findings: FixFinding[] = []
  for (const part of app.parts) {
    const declarations = { before: before ?? '', after: after ?? '' }
    const given = { ...request, ...declarations, root: app.root, texts: edited.texts }
    const { program, edits, obstacles } = rewriteFiles(part, given)
    const types = promptTypes(program, part.declarationsPath)
    const refuse = (node: ts.Node, reason: string, known?: string): void => {
      const slug = known ?? findSlug(node, '', { program, types, changes }) ?? null
      findings.push({ ...placeOf(node, app, edited), slug, reason })
    }
    for (const { node, reason, slug } of obstacles) refuse(node, `not edited: ${reason}`, slug)
    for (const [path, list] of edits) {
      const reason = request.reasonAgainst(path)
      if (reason !== undefined) for (const { node } of list) refuse(node, `not edited: ${reason}`)
      files.set(path, sortEdits([...(files.get(path) ?? []), ...list]))
    }
    for (const list of files.values()) {
      const overlap = findOverlap(list)
      if (overlap !== undefined) refuse(overlap.node, 'not edited: two edits are in one place')
    }
  }
  return { findings, edits: files, ...originsOf(files, app, edited) }
}

function originsOf(
  files: ReadonlyMap<string, readonly NodeEdit[]>,
  app: App,
  edited: EditedCode,
): Pick<AppStep, 'texts' | 'places'> {
  const texts = new Map<string, string>()
  const places = new Map<string, Place[]>()
  for (const [path, edits] of files) {
    const [first] = edits
    if (first !== undefined) texts.set(path, first.node.getSourceFile().text)
    places.set(
      path,
      edits.map(({ node }) => placeOf(node, app, edited)),
    )
  }
  return { texts, places }
}

/** The place of a node in the code on disk. */
function placeOf(node: ts.Node, { root }: App, { toOldPlace }: EditedCode): Place {
  const source = node.getSourceFile()
  const position = node.getStart(source)
  return { ...placeAt(source, position, root), ...toOldPlace(source.fileName, position) }
}
