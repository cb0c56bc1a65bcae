import * as v from 'valibot'
import { finiteNumber, string } from './schema.ts'

/** What a prompt has besides its texts. */
export interface PromptSettings extends PartSettings {
  readonly slug: string
}

/** What each part of a prompt has by itself. */
export interface PartSettings extends OptionalSettings {
  /** Label of the pinned version, such as `v22`. */
  readonly version: string
}

/** The settings that a service or a workspace file may leave out. */
export interface OptionalSettings {
  readonly folder: string
  readonly model: string
  /** `null` if the service suggests none. */
  readonly temperature: number | null
}

interface Setting<Value> {
  /** Of a value that is there, by the schema of texts. */
  readonly schema: (text: Schema<string>) => Schema<string | number>
  /** What is pinned where there is none; `undefined` if there has to be one. */
  readonly missing?: Value
  /** The `lockVersion` that has it first. The hosted service may leave out what came after the first one. */
  readonly since: number
}

type Schema<Value> = v.GenericSchema<unknown, Value>

/**
 * The settings of a part, in the order of the lock and of the arguments in generated code. Whatever reads or prints
 * them is made from this table.
 */
export const SETTINGS: { readonly [Name in keyof PartSettings]: Setting<PartSettings[Name]> } = {
  // In the first line of a part, so that the context of git's diff shows the slug beside a changed label.
  version: { schema: (text) => text, since: 1 },
  folder: { schema: (text) => text, missing: '', since: 1 },
  model: { schema: (text) => text, missing: '', since: 1 },
  temperature: { schema: () => finiteNumber, missing: null, since: 1 },
}

type Row = readonly [name: keyof PartSettings, setting: Setting<unknown>]

function rows(): readonly Row[] {
  return Object.entries(SETTINGS) as unknown as Row[]
}

/** Returns the settings of a prompt of which nothing is known. */
export function missingSettings(): OptionalSettings {
  const values = rows().flatMap(([name, { missing }]) =>
    missing === undefined ? [] : [[name, missing]],
  )
  return Object.fromEntries(values) as unknown as OptionalSettings
}

/** Returns the slug of a prompt and the settings of a part, in the order of the lock. */
export function settingsOf(prompt: PromptSettings): PromptSettings {
  return { slug: prompt.slug, ...partSettings(prompt) }
}

/**
 * Returns the settings of a part, or what else there is for each, in the order of the lock.
 *
 * @param lockVersion - leaves out what came later. Default: nothing
 */
export function partSettings<Part extends { readonly [Name in keyof PartSettings]: unknown }>(
  part: Part,
  lockVersion: number = Infinity,
): Pick<Part, keyof PartSettings> {
  const known = rows().filter(([, { since }]) => since <= lockVersion)
  return Object.fromEntries(known.map(([name]) => [name, part[name]])) as typeof part
}

/**
 * Returns the schemas of the settings of something that is read.
 *
 * @param text - the schema of texts
 * @param allow - what the schema of a value becomes. Default: as the lock has it
 */
export function settingSchemas(
  text: Schema<string>,
  allow: (schema: v.GenericSchema, setting: Setting<unknown>) => v.GenericSchema = pinned,
): { readonly [Name in keyof PartSettings]: Schema<PartSettings[Name]> } {
  const schemas = rows().map(([name, setting]) => [name, allow(setting.schema(text), setting)])
  return Object.fromEntries(schemas) as ReturnType<typeof settingSchemas>
}

function pinned(schema: v.GenericSchema, { missing }: Setting<unknown>): v.GenericSchema {
  return missing === null ? v.nullable(schema) : schema
}

/** Returns for each setting, in the order of the lock, whether a value can be pinned as it. */
export function settingChecks(): ((value: unknown) => boolean)[] {
  return Object.values(settingSchemas(string)).map((schema) => (value) => v.is(schema, value))
}
