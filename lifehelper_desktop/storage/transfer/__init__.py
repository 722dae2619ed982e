"""Habits in and out: files of other trackers, LifeHelper's own JSON, and CSV for spreadsheets.

`transfers.Transfers` is the way in. One module per format in `formats/` turns a file into the common form of
`model`; `plan` compares it with what is stored, `writing` puts it in, `taking_back` takes it out again.

To add a format: a value in `model.FileFormat` and one module in `formats/` with a `READER`.
"""
