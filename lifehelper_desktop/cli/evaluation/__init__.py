"""`lifehelper eval`: build a world per case, run the real loop, judge the calls that reached the dispatcher."""
