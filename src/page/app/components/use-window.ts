import { useLayoutEffect, useState } from 'preact/hooks'

/** The visible part of a scrolling element, in pixels of its content. */
export interface SeenWindow {
  readonly top: number
  readonly height: number
}

/** Tracks the visible part of an element. */
export function useWindow(element: { readonly current: HTMLElement | null }): SeenWindow {
  const [seen, setSeen] = useState<SeenWindow>({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const { current: box } = element
    if (box === null) return undefined
    const follow = (): void => setSeen({ top: box.scrollTop, height: box.clientHeight })
    const observer = new ResizeObserver(follow)
    observer.observe(box)
    box.addEventListener('scroll', follow, { passive: true })
    follow()
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', follow)
    }
  }, [element])
  return seen
}
