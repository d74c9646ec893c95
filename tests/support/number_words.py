"""Numbers that the English texts write in words."""

UP_TO_TWELVE = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(UP_TO_TWELVE, start=1)}
NUMBERS |= {"fourteen": 14, "twenty": 20, "thirty": 30, "sixty": 60, "ninety": 90}
