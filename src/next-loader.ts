import { loadModule, type LoaderContext } from './plugin/next/loader.ts'

/** The loader that Turbopack runs; `unplugin-prompts/next` sets it up. */
export default function loader(this: LoaderContext): Promise<string> {
  return loadModule(this)
}
