import { didYouMean } from '../../errors/did-you-mean.ts'
import { usageError } from '../../errors/prompts-error.ts'
import type { CommandMeta, NamedCommand } from '../shell/command.ts'
import type {
  ErrorJson,
  HelpJson,
  HoldJson,
  OverviewJson,
  PullJson,
  RestoreJson,
  VersionJson,
} from '../view/json.ts'
import type { CheckJson } from './check/index.ts'
import { check } from './check/meta.ts'
import type { DiffJson } from './diff/index.ts'
import { diff } from './diff/meta.ts'
import { edit } from './edit/meta.ts'
import type { GenerateJson } from './generate/index.ts'
import { generate } from './generate/meta.ts'
import type { UnholdJson } from './hold/index.ts'
import { hold, restore, unhold } from './hold/meta.ts'
import type { InitJson } from './init/index.ts'
import { init } from './init/meta.ts'
import type { ListJson } from './list/index.ts'
import { list } from './list/meta.ts'
import type { LogJson } from './log/index.ts'
import { log } from './log/meta.ts'
import { pull } from './pull/meta.ts'
import type { ServeJson } from './serve/index.ts'
import { serve } from './serve/meta.ts'
import type { ShowJson } from './show/index.ts'
import { show } from './show/meta.ts'
import type { UiJson } from './ui/index.ts'
import { ui } from './ui/meta.ts'

/** All commands, in the order of the help. Their code is loaded on use. */
export const registry: readonly CommandMeta[] = [
  init,
  pull,
  diff,
  list,
  show,
  log,
  ui,
  hold,
  unhold,
  restore,
  edit,
  check,
  generate,
  serve,
]

/** What `--json` prints, by command. The schema is generated from these types and their comments. */
export interface JsonOutputs {
  readonly init: InitJson
  readonly pull: PullJson
  readonly diff: DiffJson
  readonly list: ListJson
  readonly show: ShowJson
  readonly log: LogJson
  readonly ui: UiJson
  readonly hold: HoldJson
  readonly unhold: UnholdJson
  readonly restore: RestoreJson
  readonly edit: RestoreJson
  readonly check: CheckJson
  readonly generate: GenerateJson
  readonly serve: ServeJson
  /** Any command that fails; `check` adds it to its own output if a step fails. */
  readonly error: ErrorJson
  /** `prompts <command> --help`. */
  readonly help: HelpJson
  /** `prompts --help`. */
  readonly overview: OverviewJson
  readonly version: VersionJson
}

/** @throws PromptsError USAGE if there is no command of this name */
export async function loadCommand(word: string): Promise<NamedCommand> {
  const meta = registry.find(({ name }) => name === word)
  if (meta !== undefined) return { ...meta, ...(await meta.load()) }
  const names = registry.map(({ name }) => name)
  throw usageError(`Unknown command: ${word}.${didYouMean(word, names)}`)
}
