import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Lock } from '../../src/core/prompt.ts'
import { planModule } from '../../src/codegen/plan-module.ts'
import {
  type ModuleFormat,
  type ModuleShape,
  type PrintTarget,
  printAll,
  printDefinitions,
  printEntry,
} from '../../src/codegen/print-module.ts'
import type * as runtimeExports from '../../src/runtime/index.ts'
import runtime from '../../src/runtime/index.ts?text'
import { importNatively } from './native-import.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The printed modules find each other as files of one folder. */
const FILES = {
  esm: { entry: 'entry.mjs', all: 'all.mjs', definitions: 'definitions.mjs' },
  cjs: { entry: 'entry.cjs', all: 'all.cjs', definitions: 'definitions.cjs' },
} as const

/** A prompt as it is in the app; the types of its variables are not known here. */
export type RunPrompt = Omit<runtimeExports.AnyPrompt, 'render'> & {
  render(variables?: unknown): runtimeExports.RenderedPrompt
}

type Adapters = Pick<
  typeof runtimeExports,
  | 'PromptVariableError'
  | 'toAISDK'
  | 'toAISDK6'
  | 'toAnthropic'
  | 'toOpenAI'
  | 'toOpenAIResponses'
  | 'toSpanAttributes'
>

export interface RunModules {
  /** `virtual:prompts`. */
  readonly entry: Adapters & { readonly prompts: Readonly<Record<string, RunPrompt>> }
  /** `virtual:prompts/all`. */
  readonly all: Readonly<Record<string, RunPrompt>>
}

export function printModules(
  lock: Lock,
  shape: ModuleShape = 'namespace',
  { format = 'esm', parse }: Pick<PrintTarget, 'format' | 'parse'> = {},
): Record<string, string> {
  const plan = planModule(lock, 'live')
  const { entry, all, definitions } = FILES[format]
  const ids = { all: `./${all}`, definitions: () => `./${definitions}`, runtime: './runtime.mjs' }
  const target = { ...ids, format, parse }
  return {
    [entry]: printEntry(plan, target, shape),
    [all]: printAll(plan, target),
    [definitions]: printDefinitions(plan, target),
  }
}

/** Writes the modules of a lock, and what they import, to a folder that is removed after the test. */
export function writeModules(
  lock: Lock,
  shape?: ModuleShape,
  format?: ModuleFormat,
): Promise<string> {
  return temporaryFolder({ ...printModules(lock, shape, { format }), 'runtime.mjs': runtime })
}

/** Prints the modules of a lock, writes them to a folder, and has Node run them. */
export async function runLock(
  lock: Lock,
  shape?: ModuleShape,
  format: ModuleFormat = 'esm',
): Promise<RunModules> {
  const folder = await writeModules(lock, shape, format)
  const [entry, all] = await Promise.all(
    [FILES[format].entry, FILES[format].all].map((name) =>
      format === 'cjs'
        ? createRequire(import.meta.url)(join(folder, name))
        : importNatively(pathToFileURL(join(folder, name)).href),
    ),
  )
  return { entry, all } as RunModules
}
