"""Tables in one running process: loading, locking, storing, telling readers, bots and clocks."""
