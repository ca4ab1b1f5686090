import { createContext } from 'react'

/**
 * How much of a page is drawn after a cold start: 1 its screen, 2 its heavy parts, 3 what is beside and below. The
 * steps keep slow phones responsive. After a navigation everything is drawn at once.
 */
export const Drawn = createContext(3)
