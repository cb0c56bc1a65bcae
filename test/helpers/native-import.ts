const SOURCE: string = 'data:text/javascript,export default (url) => import(url)'

/** Imports a module as Node itself does, and not as Vitest, which would transform it. */
export async function importNatively(url: string): Promise<unknown> {
  const { default: load } = await import(/* @vite-ignore */ SOURCE)
  return load(url)
}
