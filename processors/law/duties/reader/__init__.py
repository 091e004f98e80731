"""The hole card and its reader: inspected, used, told truly, shown by the lights of the Masque reader."""
