import type { CheckJson } from '../commands/check/index.ts'
import type { DiffJson } from '../commands/diff/index.ts'
import type { DoctorJson } from '../commands/doctor/index.ts'
import type { ExplainJson } from '../commands/explain/index.ts'
import type { GenerateJson } from '../commands/generate/index.ts'
import type { InitJson } from '../commands/init/index.ts'
import type { ListJson } from '../commands/list/index.ts'
import type { ServeJson } from '../commands/serve/index.ts'
import type { ShowJson } from '../commands/show/index.ts'
import type { UiJson } from '../commands/ui/index.ts'
import type {
  ErrorJson,
  HelpJson,
  HoldJson,
  OverviewJson,
  PullJson,
  ReleaseJson,
  RestoreJson,
  VersionJson,
} from '../output/json.ts'

import type { Command } from './command.ts'

/** The groups of the help, in order. */
export type Group = 'Every day' | 'Decide' | 'Set up and check'

/** A command in the overview, without its code. */
export interface RegisteredCommand {
  readonly name: string
  readonly group: Group
  /** A shorter name that works too. */
  readonly alias?: string
  /** One line, without a period. */
  readonly summary: string
  /** Loads the code. */
  readonly load: () => Promise<Command>
}

/** All commands, in the order of the help. */
export const registry: readonly RegisteredCommand[] = [
  {
    name: 'init',
    group: 'Every day',
    summary: 'Set up this project: configuration, scripts, first pull',
    load: async () => (await import('../commands/init/index.ts')).init,
  },
  {
    name: 'pull',
    group: 'Every day',
    summary: 'Update the lock and the declarations from the service',
    load: async () => (await import('../commands/pull/index.ts')).pull,
  },
  {
    name: 'diff',
    group: 'Every day',
    summary: 'Show what a pull would change, word by word',
    load: async () => (await import('../commands/diff/index.ts')).diff,
  },
  {
    name: 'list',
    group: 'Every day',
    alias: 'ls',
    summary: 'List the pinned prompts',
    load: async () => (await import('../commands/list/index.ts')).list,
  },
  {
    name: 'show',
    group: 'Every day',
    summary: 'Show one pinned prompt: texts, variables, settings',
    load: async () => (await import('../commands/show/index.ts')).show,
  },
  {
    name: 'ui',
    group: 'Every day',
    summary: 'Show the pinned prompts in the browser',
    load: async () => (await import('../commands/ui/index.ts')).ui,
  },
  {
    name: 'hold',
    group: 'Decide',
    summary: 'Keep the pinned texts of prompts',
    load: async () => (await import('../commands/hold/index.ts')).hold,
  },
  {
    name: 'release',
    group: 'Decide',
    summary: 'Let pulls update held prompts again',
    load: async () => (await import('../commands/hold/index.ts')).release,
  },
  {
    name: 'restore',
    group: 'Decide',
    summary: 'Bring a prompt back as it was in a git revision, and hold it',
    load: async () => (await import('../commands/restore/index.ts')).restore,
  },
  {
    name: 'edit',
    group: 'Decide',
    summary: 'Write the text of a prompt here, and hold it',
    load: async () => (await import('../commands/edit/index.ts')).edit,
  },
  {
    name: 'check',
    group: 'Set up and check',
    summary: 'Check lock, generated files and service, for CI',
    load: async () => (await import('../commands/check/index.ts')).check,
  },
  {
    name: 'doctor',
    group: 'Set up and check',
    summary: 'Find out what is wrong with the setup',
    load: async () => (await import('../commands/doctor/index.ts')).doctor,
  },
  {
    name: 'generate',
    group: 'Set up and check',
    summary: 'Write the declarations, or real files for tools without plugins',
    load: async () => (await import('../commands/generate/index.ts')).generate,
  },
  {
    name: 'serve',
    group: 'Set up and check',
    summary: 'Run the local prompt service, which needs no account',
    load: async () => (await import('../commands/serve/index.ts')).serve,
  },
  {
    name: 'explain',
    group: 'Set up and check',
    summary: 'Explain an error code, or list all of them',
    load: async () => (await import('../commands/explain/index.ts')).explain,
  },
]

/**
 * What `--json` prints, by command. `json.schema.json` is generated from these types and their
 * comments: run the tests of `test/cli/json.test.ts` with `-u` after a change.
 */
export interface JsonOutputs {
  readonly init: InitJson
  readonly pull: PullJson
  readonly diff: DiffJson
  readonly check: CheckJson
  readonly list: ListJson
  readonly show: ShowJson
  readonly hold: HoldJson
  readonly release: ReleaseJson
  readonly restore: RestoreJson
  readonly edit: RestoreJson
  readonly generate: GenerateJson
  readonly ui: UiJson
  readonly serve: ServeJson
  readonly doctor: DoctorJson
  readonly explain: ExplainJson
  /** Any command that fails; `check` adds it to its own output if the service fails. */
  readonly error: ErrorJson
  /** `prompts <command> --help`. */
  readonly help: HelpJson
  /** `prompts --help`. */
  readonly overview: OverviewJson
  readonly version: VersionJson
}
