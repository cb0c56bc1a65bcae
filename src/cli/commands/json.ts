import type { ErrorJson, HoldJson, PullJson, RestoreJson } from '../view/json.ts'
import type { CheckJson } from './check/index.ts'
import type { DiffJson } from './diff/index.ts'
import type { GenerateJson } from './generate/index.ts'
import type { HelpJson, OverviewJson, VersionJson } from './help.ts'
import type { ReleaseJson } from './hold/index.ts'
import type { InitJson } from './init/index.ts'
import type { ListJson } from './list/index.ts'
import type { LogJson } from './log/index.ts'
import type { ServeJson } from './serve/index.ts'
import type { ShowJson } from './show/index.ts'
import type { UiJson } from './ui/index.ts'

/** What `--json` prints, by command. The schema is generated from these types and their comments. */
export interface JsonOutputs {
  readonly init: InitJson
  readonly pull: PullJson
  readonly diff: DiffJson
  readonly check: CheckJson
  readonly list: ListJson
  readonly show: ShowJson
  readonly log: LogJson
  readonly hold: HoldJson
  readonly release: ReleaseJson
  readonly restore: RestoreJson
  readonly edit: RestoreJson
  readonly generate: GenerateJson
  readonly ui: UiJson
  readonly serve: ServeJson
  /** Any command that fails; `check` adds it to its own output if a step fails. */
  readonly error: ErrorJson
  /** `prompts <command> --help`. */
  readonly help: HelpJson
  /** `prompts --help`. */
  readonly overview: OverviewJson
  readonly version: VersionJson
}
