import { createContext } from 'react'

/**
 * How much of a page that has just begun is drawn: 1 its screen, 2 what is heavy on it, 3 what stands beside and below.
 * Each is a step of its own, so that a slow phone can be touched in between. Whoever comes from another screen gets
 * everything at once.
 */
export const Drawn = createContext(3)
