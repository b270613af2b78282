"""Ways in which a program may turn a game code into a deal, step by step.

One module a step: the letters to a number (`letters`), that or the text to a seed (`seeds`), the
seed to random words (`generators`), words to draws below a bound (`draws`), draws to a permutation
(`shuffles`), and the unshuffled deck and the order of dealing (`decks`). A `rule.Rule` names one of
each. Each step is a table; an entry is a function, words for it, and who published it.
"""
