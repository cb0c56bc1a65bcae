import { resolve } from 'node:path'

/** The part of a metafile of esbuild or Bun that lists the modules of each output file. */
export interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: MetafileInputs }>>
}

type MetafileInputs = Readonly<Record<string, { readonly bytesInOutput: number }>>

/**
 * Returns a lookup of the modules whose code is in an output file after tree shaking.
 *
 * @param folder - what the paths in the metafile are relative to
 */
export function modulesByPath(
  metafile: Metafile | undefined,
  folder: string,
): ReadonlyMap<string, () => string[]> {
  return new Map(
    Object.entries(metafile?.outputs ?? {}).map(([name, { inputs }]) => [
      resolve(folder, name),
      () => Object.keys(inputs).filter((input) => inputs[input]?.bytesInOutput !== 0),
    ]),
  )
}
