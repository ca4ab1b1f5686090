/** How callers of a language spell: "B as in Bravo". One word for each letter from A to Z. */
export interface Spelling {
  /** Between the letter and its word. */
  readonly as: string
  readonly words: readonly string[]
}

export const SPELLINGS: Readonly<Record<'en' | 'es' | 'fr' | 'de', Spelling>> = {
  en: {
    as: 'as in',
    words: (
      'Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo ' +
      'Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu'
    ).split(' '),
  },
  es: {
    as: 'de',
    words: (
      'Antonio Barcelona Carmen Dolores Enrique Francia Gerona Historia Inés José Kilo Lorenzo Madrid Navarra Oviedo ' +
      'París Querido Ramón Sábado Tarragona Ulises Valencia Washington Xilófono Yegua Zaragoza'
    ).split(' '),
  },
  fr: {
    as: 'comme',
    words: (
      'Anatole Berthe Célestin Désiré Eugène François Gaston Henri Irma Joseph Kléber Louis Marcel Nicolas Oscar ' +
      'Pierre Quintal Raoul Suzanne Thérèse Ursule Victor William Xavier Yvonne Zoé'
    ).split(' '),
  },
  de: {
    as: 'wie',
    words: (
      'Anton Berta Cäsar Dora Emil Friedrich Gustav Heinrich Ida Julius Kaufmann Ludwig Martha Nordpol Otto Paula ' +
      'Quelle Richard Samuel Theodor Ulrich Viktor Wilhelm Xanthippe Ypsilon Zacharias'
    ).split(' '),
  },
}
